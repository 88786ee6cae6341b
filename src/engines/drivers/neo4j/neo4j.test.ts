// Once: no database. And no real server: none can be had here, so one answers that is made after the documentation.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Asked, type Reply, ToldServer } from '../testing/http-server.ts'
import { collect, httpSuite, RECORDS } from '../testing/http-suite.ts'
import { pageOf } from './statements.ts'
import { cellOf, comparable } from './values.ts'

const PASSWORD = 's3cret-neo4j'
const typed = ($type: string, _value: unknown) => ({ $type, _value })
const idOf = (at: number) => `4:db:${String(at).padStart(6, '0')}`
const readings = Array.from({ length: RECORDS }, (_, id) => ({
  id: typed('Integer', String(id)),
  batch: typed('Integer', String(Math.floor(id / 7))),
  label: typed('String', `n${id}`)
}))
const odd = [
  {
    flag: typed('Boolean', true),
    ratio: typed('Float', 'NaN'),
    at: typed('OffsetDateTime', '2026-03-01T09:00:00.123456789+01:00'),
    day: typed('Date', '2026-03-01'),
    raw: typed('Base64', 'AQI='),
    tags: typed('List', [typed('Integer', '9007199254740993'), typed('Null', null)])
  },
  {
    flag: typed('Boolean', false),
    ratio: typed('Integer', '2'),
    at: typed('ZonedDateTime', '2026-03-01T08:00Z[Europe/Paris]')
  }
]
const labels: Record<string, readonly Record<string, unknown>[]> = { odd, readings }

/** Understands the statements of the driver and no others. */
function answer({ path, headers, body }: Asked): Reply {
  if (headers.authorization !== `Basic ${Buffer.from(`reader:${PASSWORD}`).toString('base64')}`) {
    return {
      status: 401,
      body: { errors: [{ code: 'Neo.ClientError.Security.Unauthorized', message: 'Invalid credential.' }] }
    }
  }
  assert.equal(headers.accept, 'application/vnd.neo4j.query')
  if (path !== '/db/plant/query/v2')
    return { status: 404, body: { errors: [{ code: 'Neo.ClientError.Database.DatabaseNotFound' }] } }
  const { statement, parameters, accessMode } = body as {
    statement: string
    parameters: Record<string, { _value: string }>
    accessMode: string
  }
  assert.equal(accessMode, 'READ')
  const [, limit = '1'] = /LIMIT (\d+)/.exec(statement) ?? []
  const values = (rows: readonly unknown[][]) => ({ status: 202, body: { data: { fields: [], values: rows } } })
  if (statement.includes('db.labels')) {
    const wanted = parameters.label?._value
    return values(
      Object.keys(labels)
        .filter((name) => wanted === undefined || name === wanted)
        .slice(0, Number(limit))
        .map((name) => [typed('String', name)])
    )
  }
  const [, label = ''] = /MATCH \(n:`(\w+)`\)/.exec(statement) ?? []
  const nodes = (labels[label] ?? []).map(
    (properties, at) => [typed('String', idOf(at)), typed('Map', properties)] as const
  )
  if (!statement.includes('elementId'))
    return values(nodes.slice(0, Number(limit)).map(([, properties]) => [properties]))
  const { id, value } = parameters
  const rest = nodes.filter(([{ _value: own }, { _value: properties }]) => {
    const batch = Number((properties as Record<string, { _value: string }>).batch?._value)
    if (value === undefined) return id === undefined || String(own) > id._value
    return (
      batch > Number(value._value) || (id !== undefined && batch === Number(value._value) && String(own) > id._value)
    )
  })
  return values(rest.slice(0, Number(limit)).map((row) => [...row]))
}

httpSuite(
  'Neo4j, as documented',
  {
    sourceId: 'neo4j',
    server: new ToldServer(answer),
    config: (port) => ({ host: '127.0.0.1', port, tls: false, database: 'plant', user: 'reader', password: PASSWORD }),
    stranger: { password: 'wrong-neo4j' },
    secretPointer: '/password',
    secrets: [PASSWORD, 'wrong-neo4j'],
    stream: 'readings',
    columns: ['_id text', 'id bigint', 'batch bigint', 'label text'],
    keys: ['_id'],
    cursors: ['id', 'batch'],
    cursor: 'batch',
    counted: 'id'
  },
  (using) => {
    it('reads each type, and what is mixed as what holds both', async () => {
      const [chunk] = await using((opened) => collect(opened, { stream: 'odd' }))
      assert.deepEqual(chunk?.values.slice(1), [
        [true, false],
        [Number.NaN, 2],
        ['2026-03-01 08:00:00.123456789', '2026-03-01 08:00:00.000000'],
        ['2026-03-01', null],
        [Uint8Array.of(1, 2), null],
        ['[9007199254740993,null]', null]
      ])
      assert.equal(cellOf('bigint', typed('String', 'x')), null)
    })

    it('says that a database is not there', async () => {
      const read = using((opened) => collect(opened, { stream: 'odd' }), { database: 'absent' })
      await assert.rejects(read, { code: 'not_found', pointer: '/database' })
    })
  }
)

it('Neo4j takes no name for a part of a statement', () => {
  const { statement } = pageOf({ label: 'a`) DELETE n //', column: 'b`', after: undefined, last: undefined, size: 1 })
  assert.equal(
    statement,
    'MATCH (n:`a``) DELETE n //`) WHERE n.`b``` IS NOT NULL RETURN elementId(n) AS id, properties(n) AS properties ORDER BY n.`b```, elementId(n) LIMIT 1'
  )
})

it('positions of Neo4j are sent as what they are', () => {
  assert.deepEqual(
    comparable('timestamptz', '2026-03-01 08:00:00.5'),
    typed('OffsetDateTime', '2026-03-01T08:00:00.5Z')
  )
  assert.deepEqual(comparable('timestamp', '2026-03-01'), typed('LocalDateTime', '2026-03-01T00:00:00'))
  assert.equal(comparable('json', 'x'), undefined)
})
