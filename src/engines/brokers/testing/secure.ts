import assert from 'node:assert/strict'
import { test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { freePort } from '../../../../test/support/free-port.ts'
import { makeFolder, removeFolder } from '../../../../test/support/servers/service.ts'
import { createOutbound } from '../../outbound/index.ts'
import { selfSigned } from '../../outbound/testing/certificate.ts'
import { type BrokerKind, openBroker } from '../index.ts'

interface SecureServer {
  readonly port: number
  stop(): Promise<void>
}

type Start = (folder: string, options: { certificate: { key: string; cert: string } }) => Promise<SecureServer>

/** TLS to a name that is looked up, with a first host that does not answer. */
export function promisesOfTls(kind: BrokerKind, missing: string | undefined, start: Start): void {
  test(`${kind} over TLS trusts the right name and nobody else`, { skip: missing ?? false }, async (t) => {
    const certificate = selfSigned('broker.example')
    const trusted = getCACertificates('default')
    setDefaultCACertificates([...trusted, certificate.cert])
    const folder = makeFolder('secure')
    const server = await start(folder, { certificate })
    const lookup = async () => [{ address: '127.0.0.1' }]
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [], lookup })
    t.after(async () => {
      setDefaultCACertificates(trusted)
      await outbound.close()
      await server.stop()
      removeFolder(folder)
    })
    const { port } = server
    const open = async (hosts: string[], tls = true) => {
      const broker = await openBroker({ kind, hosts, tls }, { outbound })
      t.after(() => broker.close())
      return broker
    }
    const right = await open([`nobody.example:${await freePort()}`, `broker.example:${port}`])
    await right.publish([{ topic: 'any', payload: 'x' }])
    await assert.rejects((await open([`other.example:${port}`])).check(), { code: 'refused' })
    await assert.rejects((await open([`127.0.0.1:${port}`])).check(), { code: 'refused' })
    setDefaultCACertificates(trusted)
    await assert.rejects((await open([`broker.example:${port}`])).check(), { code: 'refused' })
    // A broker that requires TLS gets no credentials without it.
    await assert.rejects((await open([`broker.example:${port}`], false)).check())
  })
}
