import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { missingOpcua, type OpcuaServer, startOpcua } from '../../../../test/support/servers/opcua.ts'
import { makeFolder } from '../../../../test/support/servers/service.ts'
import { tries } from '../../../../test/support/thorough.ts'
import { createOutbound } from '../../outbound/index.ts'
import { selfSigned } from '../../outbound/testing/certificate.ts'
import {
  driverOf,
  findSource,
  type OpenSource,
  runSteps,
  type SourceConfig,
  type SourceFacts,
  type StepName
} from '../index.ts'
import { driverContract } from '../testing/contract.ts'
import { FlatMemory } from '../testing/flat-memory.ts'

const POINTS = 5000
const LARGE = tries(200_000, 1_000_000)
const missing = missingOpcua()
/** Of nobody: its key was thrown away. */
const OTHER = `-----BEGIN CERTIFICATE-----
MIIDEzCCAfugAwIBAgIUSM+KeGalIGdwJJwqeLNvjR0zopAwDQYJKoZIhvcNAQEL
BQAwGDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTAgFw0yNjExMTcyMzE5MDVaGA8y
MDgxMDgyMDIzMTkwNVowGDEWMBQGA1UEAwwNb3RoZXIuZXhhbXBsZTCCASIwDQYJ
KoZIhvcNAQEBBQADggEPADCCAQoCggEBAK1sqlQr9wcwn/bkO52TASwFssWBENDy
WGCHBj+S6t+VcnsbrqrTPQqwuDFOZPijBmugJhngB1NjIJ6zbRKtXcp8VpbLaIJi
HUgIcd0/JESG93NYLV83c8JMkNla0v1XDpJOIdVsnlnpDrxkk4nS1S3xPG8kEPF5
ksq0u/HjREuy636gkxZ9sRHCUsJS6qNlYAB7R5EBQYieW0Vz4BB32bPrGLef8NlG
8A6LUjTUxz/WmnSKGtjERyy42eV1PK1VxOKlPrbtpmOUhSekm5onycQLksTkquNK
bSaA9Ph/2sSuV0LG0AoGoJ77bG7UCa++KN0FUMPQQ76GhzCP2qmCRC8CAwEAAaNT
MFEwHQYDVR0OBBYEFIb6pwSAOVmIYe4oyc+vLmto/7GXMB8GA1UdIwQYMBaAFIb6
pwSAOVmIYe4oyc+vLmto/7GXMA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQEL
BQADggEBAEQWgwc6FQvWAANc19rapqziRdti6Ga+5BJ8TmfncS9DNN4O7AkW7xq4
JU+2UB66XETN75aHfVLWgYSXPCbwfzXeNC0YCZ0Mfyt9hagDu1wGIGDghH/WKYEy
jlQq1DYFmV+V1rd21c1TWgintziRLDZA3o8MUOpkEljsvVrVXjIZPDuTSsYKr8hM
wi1aDLD4Limge+cx4jJPaQWiNRtxvgv4KDnp+xR0Df4M38dqGTbJA+CVNfQdui/p
Tm1FsXOdkYEgDj2IwLua2bAbAOW/091UuEsuW8ZCcWZD4l8NHjsQk1di8hfjH18p
z/68Y4fzGWSr6EDHH6fFKNttal7Ot3M=
-----END CERTIFICATE-----`

const fault = (changes: SourceConfig, step: StepName, code: string, pointer: string) => ({
  changes,
  step,
  code,
  pointer
})

driverContract('OPC UA as a source', {
  sourceId: 'opcua',
  missing,
  async start() {
    const server = await startOpcua(makeFolder('drivers-opcua'), POINTS)
    const { host, port, path, user, packagesFolder, stop, restart } = server
    return {
      config: { host, port, path, ...user },
      secrets: [user.password],
      packagesFolder,
      steps: ['driver', 'resolve', 'policy', 'connect', 'tls', 'authenticate', 'list', 'read'],
      wrong: {
        'a name that is none': fault({ host: 'nowhere.invalid' }, 'resolve', 'unknown_host', '/host'),
        'a closed port': fault({ port: 1 }, 'connect', 'unreachable', '/port'),
        'a wrong password': fault({ password: 'wrong' }, 'authenticate', 'wrong_credentials', '/password'),
        'no certificate of the server': fault(
          { security: 'SignAndEncrypt' },
          'tls',
          'tls_failed',
          '/serverCertificate'
        ),
        'a certificate with a key of another kind': fault(
          { security: 'SignAndEncrypt', serverCertificate: selfSigned('elsewhere.invalid').cert },
          'tls',
          'tls_failed',
          '/serverCertificate'
        ),
        'a certificate of another server': fault(
          { security: 'SignAndEncrypt', serverCertificate: OTHER },
          'tls',
          'tls_failed',
          '/serverCertificate'
        ),
        'a root that is no node': fault({ root: 'Line' }, 'list', 'bad_request', '/root')
      },
      stream: {
        name: 'ns=1;s=History',
        kind: 'series',
        columns: ['time timestamptz', 'value double', 'quality text'],
        keys: [],
        cursors: ['time'],
        column: 'value',
        values: Array.from({ length: POINTS }, (_, n) => n + 1),
        cursor: 'time'
      },
      stop,
      restart
    }
  }
})

describe('variables of OPC UA', { skip: missing ?? false }, () => {
  let server: OpcuaServer
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  const source = findSource('opcua') as SourceFacts
  const signal = () => AbortSignal.timeout(tries(60_000, 300_000))

  before(async () => {
    server = await startOpcua(makeFolder('variables-opcua'), LARGE)
  })
  after(async () => {
    await server.stop()
    await outbound.close()
  })

  async function using<T>(more: SourceConfig, work: (opened: OpenSource) => Promise<T>): Promise<T> {
    const { host, port, path, user, packagesFolder } = server
    const driver = await driverOf(source)
    const opened = await driver.open({ host, port, path, ...user, ...more }, source, { outbound, packagesFolder })
    try {
      return await work(opened)
    } finally {
      await opened.close()
    }
  }

  it('are found wherever they are, with types, and have the values that they have', async () => {
    await using({}, async (opened) => {
      const { streams } = await opened.discover({ limit: 100, signal: signal() })
      const found: Record<string, unknown> = {}
      for (const { name, kind, columns } of streams.filter(({ kind: each }) => each === 'points')) {
        for await (const { values, rows } of opened.read({ stream: name, signal: signal() })) {
          assert.deepEqual([kind, rows, values[2]?.[0]], ['points', 1, 'Good'])
          assert.match(String(values[0]?.[0]), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6,9}$/)
          found[name.replace('ns=1;s=', '')] = [columns[1]?.type, values[1]?.[0]]
        }
      }
      assert.deepEqual(found, {
        Array: ['json', '[1,2.5]'],
        Boolean: ['boolean', true],
        Byte: ['integer', 255],
        ByteString: ['json', '"YWI="'],
        DateTime: ['timestamptz', '2026-03-01 00:00:00.000000'],
        Double: ['double', Math.PI],
        Float: ['double', 0.5],
        Int16: ['integer', -5],
        Int32: ['integer', -70_000],
        Int64: ['bigint', -2n],
        SByte: ['integer', -1],
        String: ['text', 'Größe "7"'],
        UInt16: ['integer', 65_535],
        UInt32: ['bigint', 4_000_000_000n],
        UInt64: ['bigint', 2n ** 64n - 1n]
      })
    })
  })

  it('are found below the root that is given, and as many as asked for', async () => {
    const below = await using({ root: 'ns=1;s=History' }, (opened) => opened.discover({ limit: 9, signal: signal() }))
    assert.deepEqual(below, { streams: [], isWhole: true })
    const few = await using({}, (opened) => opened.discover({ limit: 3, signal: signal() }))
    assert.deepEqual([few.streams.length, few.isWhole], [3, false])
    await using({ root: 'ns=7;s=absent' }, (opened) =>
      assert.rejects(opened.discover({ limit: 3, signal: signal() }), { code: 'not_found' })
    )
    await using({}, (opened) =>
      assert.rejects(opened.read({ stream: 'ns=1;s=absent', signal: signal() })[Symbol.asyncIterator]().next(), {
        code: 'not_found'
      })
    )
  })

  it('are read through an encrypted channel from the server of the certificate, wherever it says that it is', async () => {
    const secure = { security: 'SignAndEncrypt', serverCertificate: server.certificate() }
    const { success, message } = await using(secure, (opened) => runSteps(opened.steps, 30_000))
    assert.ok(success, message)
  })

  it('with a long history are read with flat memory, and go on after the server was killed', async () => {
    let [rows, sum] = [0, 0]
    let position: string | null = null
    const read = (killAt: number, memory?: FlatMemory) =>
      using({}, async (opened) => {
        const cursor = { column: 'time', after: position }
        for await (const chunk of opened.read({ stream: 'ns=1;s=History', cursor, signal: signal() })) {
          rows += chunk.rows
          for (const value of chunk.values[1] ?? []) sum += Number(value)
          position = chunk.position ?? null
          memory?.add(chunk)
          if (rows >= killAt) await server.restart()
        }
      })
    await assert.rejects(read(LARGE / 4), { code: 'unavailable' })
    assert.ok(rows < LARGE)
    const memory = new FlatMemory(LARGE - rows)
    await read(Number.POSITIVE_INFINITY, memory)
    assert.deepEqual([rows, sum], [LARGE, (LARGE * (LARGE + 1)) / 2])
    memory.assertFlat()
  })
})
