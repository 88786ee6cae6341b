import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { createOutbound } from '../../outbound/index.ts'
import { openSql, type SqlDatabase } from '../index.ts'
import type { Given } from './contract.ts'
import { readRows } from './under-test.ts'

/**
 * For drivers that make their own TLS connections; `secured` is a query that tells whether the connection is
 * encrypted.
 */
export function secureContract(given: Given, secured: string): void {
  async function openSecure(t: TestContext, host: string): Promise<SqlDatabase> {
    const lookup = async () => [{ address: '127.0.0.1' }]
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [], lookup })
    const database = await openSql({ ...given.server().settings, host, tls: true }, { outbound })
    t.after(async () => {
      await database.close()
      await outbound.close()
    })
    return database
  }

  function trust(t: TestContext): string {
    const { certificate, certifiedName } = given.server()
    const before = getCACertificates('default')
    setDefaultCACertificates([...before, certificate as string])
    t.after(() => setDefaultCACertificates(before))
    return certifiedName as string
  }

  test('a secure connection is one, to the name that was given', async (t) => {
    const database = await openSecure(t, trust(t))
    const [row] = await readRows(database, { query: secured })
    assert.match(String(row?.at(-1)), /^(true|TLS.*)$/)
  })

  test('a certificate that nobody vouches for, or for another name, is refused', async (t) => {
    const name = given.server().certifiedName as string
    await assert.rejects((await openSecure(t, name)).check(), { code: 'tls', isTransient: false })
    trust(t)
    for (const host of ['other.example', '127.0.0.1']) {
      await assert.rejects((await openSecure(t, host)).check(), { code: 'tls', isTransient: false })
    }
  })
}
