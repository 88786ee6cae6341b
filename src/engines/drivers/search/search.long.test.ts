// Once: no database. And no real server: none can be had here, so one answers that is made after the documentation.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { collect, httpSuite, RECORDS, type Using } from '../testing/http-suite.ts'
import { searchServer, type Told } from '../testing/search-server.ts'

const PASSWORD = 's3cret-search'
const BASIC = `Basic ${Buffer.from(`reader:${PASSWORD}`).toString('base64')}`
const properties = {
  id: { type: 'integer' },
  batch: { type: 'long' },
  at: { type: 'date' },
  label: { type: 'keyword' },
  other: { type: 'alias', path: 'label' }
}
const documents: Told[] = Array.from({ length: RECORDS }, (_, id) => {
  const batch = Math.floor(id / 7)
  const at = new Date(1_700_000_000_000 + batch * 1000).toISOString()
  return { _id: `d${id}`, fields: { id: [id], batch: [batch], at: [at], label: [`n${id}`] } }
})

const odd: Told[] = [
  {
    _id: 'a',
    fields: {
      count: [1],
      sum: [5],
      when: ['2026-03-01T08:00:00.123456789Z'],
      text: ['x', 'y'],
      flag: [true],
      raw: ['AQI=']
    },
    _source: { inner: { a: 1 } }
  },
  { _id: 'b', fields: { count: [1, 2], sum: ['broken'], when: ['never'], flag: ['false'] }, _source: {} },
  { _id: 'c', fields: {} }
]
const oddTypes = {
  count: { type: 'integer' },
  sum: { type: 'unsigned_long' },
  when: { type: 'date_nanos' },
  text: { type: 'text' },
  flag: { type: 'boolean' },
  raw: { type: 'binary' },
  inner: { properties: { a: { type: 'long' } } }
}
const indices = {
  readings: { mappings: { properties }, documents },
  odd: { mappings: { properties: oddTypes }, documents: odd },
  '.hidden': { mappings: {}, documents: [] }
}

const shared = {
  config: (port: number) => ({ host: '127.0.0.1', port, tls: false, user: 'reader', password: PASSWORD }),
  stranger: { password: 'wrong-search' },
  secretPointer: '/password',
  secrets: [PASSWORD, 'wrong-search', BASIC],
  stream: 'readings',
  columns: ['_id text', 'at timestamptz', 'batch bigint', 'id integer', 'label text'],
  keys: ['_id'],
  cursors: ['at', 'batch', 'id'],
  counted: 'id'
}

httpSuite(
  'Elasticsearch, as documented',
  { ...shared, sourceId: 'elasticsearch', server: searchServer(indices, BASIC), cursor: 'at' },
  particular
)
httpSuite(
  'OpenSearch, as documented',
  { ...shared, sourceId: 'opensearch', server: searchServer(indices, BASIC), cursor: 'batch' },
  particular
)

const keyServer = searchServer(indices, 'ApiKey a2V5')
httpSuite('Elasticsearch with a key', {
  ...shared,
  sourceId: 'elasticsearch',
  server: keyServer,
  config: (port) => ({ host: '127.0.0.1', port, tls: false, apiKey: 'a2V5' }),
  stranger: { apiKey: 'wrong-search' },
  secretPointer: '/apiKey',
  cursor: 'batch'
})

function particular(using: Using): void {
  it('reads each type as the index has it, and what does not fit as null without touching its neighbours', async () => {
    const [chunk] = await using((opened) => collect(opened, { stream: 'odd' }))
    const rows = chunk?.values.map((values, at) => [chunk.columns[at]?.name, ...values])
    assert.deepEqual(rows, [
      ['_id', 'a', 'b', 'c'],
      ['count', 1, null, null],
      ['flag', true, false, null],
      ['inner', '{"a":1}', null, null],
      ['raw', Uint8Array.of(1, 2), null, null],
      ['sum', 5n, null, null],
      ['text', '["x","y"]', null, null],
      ['when', '2026-03-01 08:00:00.123456789', null, null]
    ])
  })

  it('reads one index and no expression for several', async () => {
    for (const stream of ['*', 'readings,odd', '-odd', '_all', '<readings>']) {
      await assert.rejects(
        using((opened) => collect(opened, { stream })),
        { code: 'not_found' }
      )
    }
  })
}
