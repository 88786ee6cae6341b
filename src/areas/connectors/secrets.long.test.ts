// Once: what is kept from tables is kept from either database.
import assert from 'node:assert/strict'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { type Answer, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { seenOfProcesses } from '../../../test/support/servers/descendants.ts'
import { examine } from '../../cli/doctor/examine.ts'
import {
  driverOf,
  type JsonSchema,
  type SourceConfig,
  type SourceFacts,
  secretFields,
  sources
} from '../../engines/drivers/index.ts'

const SECRET = 'Zq7secretOfThePlantXw'
const USER = 'reader'
/** As it is, and as it may be sent. */
const FORMS = [SECRET, Buffer.from(`${USER}:${SECRET}`).toString('base64'), Buffer.from(SECRET).toString('base64')]
const CLOSED_PORT = 1
const AT_ONCE = 6
/** Drivers that wait for the server to speak first: to them it hangs up. */
const LISTENERS: ReadonlySet<string> = new Set(['mysql', 'ftp', 'nats'])

/** A configuration with a secret in every field that is for one, and all else as the schema has it for an example. */
function configFor({ properties, required }: JsonSchema, port: number): SourceConfig {
  const config: Record<string, unknown> = {}
  const known: Record<string, unknown> = { host: '127.0.0.1', port, user: USER, tls: false, accessKey: 'reader' }
  const lists: Record<string, unknown> = { urls: [`http://127.0.0.1:${port}/a.csv`], files: ['a.csv'] }
  for (const [name, field] of Object.entries(properties)) {
    if (field.writeOnly) config[name] = SECRET
    else if (name in known) config[name] = known[name]
    else if (name in lists) config[name] = lists[name]
    else if (required.includes(name) && 'examples' in field) config[name] = field.examples?.[0] ?? 'plant'
    else if (required.includes(name)) config[name] = 'plant'
  }
  return config
}

describe('secrets of connectors', () => {
  let test: TestApp
  let echo: Server
  let rude: Server
  const sockets = new Set<Socket>()
  const answers: string[] = []
  const kept = new Map<SourceFacts, JsonSchema>()
  before(async () => {
    for (const source of sources()) {
      const schema = (await driverOf(source)).schemaFor(source)
      if (secretFields(schema).length > 0) kept.set(source, schema)
    }
    test = await startTestApp({ env: { ALLOWED_HOSTS: '127.0.0.1' } })
    // Whoever repeats what it was told is a server whose words must not be passed on.
    echo = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
      socket.once('data', (data) => socket.end(data))
    })
    rude = createServer((socket) => socket.destroy())
    for (const server of [echo, rude]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  after(async () => {
    for (const socket of sockets) socket.destroy()
    echo.close()
    rude.close()
    await test.close()
  })

  async function call(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await test.call(method, `/api/connectors${path}`, { as: 'admin', body })
    answers.push(`${method} ${path} ${answer.text} ${JSON.stringify([...answer.headers])}`)
    return answer
  }

  /** The whole life of a connector, of whose calls none succeeds. */
  async function live({ id: sourceId, driver }: SourceFacts, schema: JsonSchema): Promise<void> {
    const config = configFor(schema, CLOSED_PORT)
    const made = await call('POST', '', { name: sourceId, sourceId, config })
    assert.equal(made.status, 201, `${sourceId}: ${made.text}`)
    const at = `/${made.body.id}`
    // Without a field for it, it goes to a host of its makers.
    const isHere = 'host' in config || 'urls' in config
    if (isHere) await exercise(at, sourceId)
    const { port } = (LISTENERS.has(driver) ? rude : echo).address() as AddressInfo
    const elsewhere = configFor(schema, port)
    const changed = await call('PUT', at, { config: elsewhere })
    assert.equal(changed.status, 200, `${sourceId}: ${changed.text}`)
    if (isHere) await exercise(at, sourceId)
    const [field = ''] = secretFields(schema)
    for (const wrong of [
      { config: { ...config, [field]: { nested: SECRET } } },
      { config: { ...config, [field]: SECRET.repeat(5000) } },
      { config: { ...config, mistyped: SECRET } },
      { config: SECRET },
      { [field]: SECRET },
      `{"config": {"${field}": "${SECRET}"`
    ])
      assert.equal((await call('PUT', at, wrong)).status, 400)
    assert.equal((await call('DELETE', at)).status, 204)
    assert.equal((await call('POST', `${at}/test`)).status, 404)
  }

  async function exercise(at: string, sourceId: string): Promise<void> {
    const tested = await call('POST', `${at}/test`)
    assert.deepEqual([tested.status, tested.body.success], [200, false], `${sourceId}: ${tested.text}`)
    assert.ok((await call('POST', `${at}/discover`)).status >= 400, sourceId)
    assert.ok((await call('POST', `${at}/read`, { stream: 'plant.readings' })).status >= 400, sourceId)
    for (const path of ['', '/tests', '/streams']) await call('GET', `${at}${path}`)
  }

  it('of every source are in no answer, log, table, metric, finding or list of processes', async () => {
    const waiting = [...kept]
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await live(...next)
      })
    )
    await call('GET', '?limit=100')
    const { db } = test.platform.metadata
    const tables: string[] = []
    for (const { name } of await db.introspection.getTables()) {
      tables.push(
        JSON.stringify(
          await db
            .selectFrom(name as 'connectors')
            .selectAll()
            .execute(),
          inWords
        )
      )
    }
    const findings: string[] = []
    const { databaseUrl } = test.database
    const env = { DATA_DIR: test.database.folder, PORT: '0', ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
    await examine(env, false, (finding) => findings.push(JSON.stringify(finding)))
    const { text: audited } = await test.call('GET', '/api/audit/logs?limit=100', { as: 'admin' })
    const { text: metrics } = await test.call('GET', '/metrics', { as: 'viewer' })
    const told = { answers, logged: test.logged, tables, findings, audited, metrics, processes: seenOfProcesses() }
    for (const [where, text] of Object.entries(told)) {
      const lines = Array.isArray(text) ? text : [text]
      assert.ok(lines.length > 0 && lines[0] !== '', where)
      for (const line of lines) {
        const found = FORMS.find((form) => line.includes(form))
        assert.equal(found, undefined, `${where}: ${line.slice(0, 2000)}`)
      }
    }
    assert.ok(tables.join('').includes('connector.delete'), 'the audit trail is among the tables')
  })
})

/** Bytes as the text that they may be. */
const inWords = (_: string, value: unknown) =>
  value instanceof Uint8Array
    ? Buffer.from(value).toString('latin1')
    : typeof value === 'bigint'
      ? String(value)
      : value
