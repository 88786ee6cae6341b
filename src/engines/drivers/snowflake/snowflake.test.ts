// Once: no database. And no real account: none can be had here, so a server answers that is made after the documentation.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import fc from 'fast-check'
import { type Driver, runSteps } from '../index.ts'
import { type Asked, type Reply, ToldServer } from '../testing/http-server.ts'
import { collect, httpSuite } from '../testing/http-suite.ts'
import { answerOf, numbered } from '../testing/told-tables.ts'
import { SNOWFLAKE } from './dialect.ts'
import { snowflakeDriver } from './driver.ts'
import { dayText, epochText } from './times.ts'

const TOKEN = 's3cret-snowflake'
const PARTITION = 4000
const tables = {
  listed: [
    ...['id NUMBER 0', 'batch NUMBER 0', 'label TEXT'].map((column) => {
      const [name, ...type] = column.split(' ')
      return ['PLANT', 'readings', '0', name, type.join(' '), '1', '0', '1']
    }),
    ...[
      ['flag', 'BOOLEAN'],
      ['price', 'NUMBER'],
      ['ratio', 'FLOAT'],
      ['day', 'DATE'],
      ['at', 'TIMESTAMP_TZ'],
      ['raw', 'BINARY'],
      ['any', 'VARIANT']
    ].map(([name, type]) => ['PLANT', 'odd', '1', name, type, '1', '0', '1'])
  ],
  readings: numbered(String),
  odd: [
    ['true', '1.50', 'inf', '18628', '1616173619.123456789', '0102', '{"a":1}'],
    ['x', 'x', 'x', 'x', 'x', null, null]
  ]
}

/** Statements that take long are asked after; what is large comes in partitions, all but the first compressed. */
function snowflakeServer(): ToldServer {
  const running = new Map<string, readonly (readonly unknown[])[]>()
  const result = (handle: string, part: number): Reply => {
    const rows = running.get(handle) ?? []
    const data = rows.slice(part * PARTITION, (part + 1) * PARTITION)
    const partitionInfo = Array.from({ length: Math.max(1, Math.ceil(rows.length / PARTITION)) }, () => ({}))
    const body = part === 0 ? { statementHandle: handle, resultSetMetaData: { partitionInfo }, data } : { data }
    return { body, isCompressed: part > 0 }
  }
  return new ToldServer(({ method, path, query, body, headers }: Asked): Reply => {
    if (headers.authorization !== `Bearer ${TOKEN}`)
      return { status: 401, body: { code: '390303', message: 'Invalid token' } }
    assert.equal(headers['x-snowflake-authorization-token-type'], 'PROGRAMMATIC_ACCESS_TOKEN')
    if (method === 'POST') {
      const { statement, database, warehouse } = body as Record<string, string>
      assert.deepEqual([database, warehouse], ['PLANT', 'WH'])
      const handle = `h${running.size}`
      running.set(handle, answerOf(statement ?? '', tables))
      if (statement === 'SELECT 1') return { status: 202, body: { statementHandle: handle, code: '333334' } }
      return result(handle, 0)
    }
    return result(path.split('/')[4] ?? '', Number(query.get('partition') ?? 0))
  })
}

const server = snowflakeServer()
/** At the port of the test, and not encrypted. */
const driver: Driver = {
  ...snowflakeDriver(),
  open: ({ port, ...config }, source, needs) =>
    snowflakeDriver({ port: Number(port), tls: false }).open(config, source, needs)
}

httpSuite(
  'Snowflake, as documented',
  {
    sourceId: 'snowflake',
    driver,
    server,
    config: (port) => ({ host: '127.0.0.1', port, database: 'PLANT', warehouse: 'WH', token: TOKEN }),
    stranger: { token: 'wrong-token' },
    secretPointer: '/token',
    secrets: [TOKEN, 'wrong-token'],
    stream: 'PLANT.readings',
    columns: ['id bigint', 'batch bigint', 'label text'],
    keys: [],
    cursors: ['id', 'batch'],
    cursor: 'batch',
    counted: 'id'
  },
  (using) => {
    it('reads each type, and what does not fit as null without touching its neighbours', async () => {
      const [chunk] = await using((opened) => collect(opened, { stream: 'PLANT.odd' }))
      assert.deepEqual(chunk?.values, [
        [true, null],
        ['1.50', null],
        [Infinity, null],
        ['2021-01-01', null],
        ['2021-03-19 17:06:59.123456789', null],
        [Uint8Array.of(1, 2), null],
        ['{"a":1}', null]
      ])
    })

    it('gives no right to everybody where no role is said', async () => {
      server.instead = () => ({ status: 422, body: { code: '003001', message: 'refused' } })
      const { grants } = await using((opened) => runSteps(opened.steps, 9000))
      assert.ok(grants.length > 0 && !grants.join().includes('PUBLIC'))
    })

    it('tells refusals apart by their codes', async () => {
      for (const [code, meaning] of Object.entries({
        '002003': 'not_found',
        '003001': 'missing_permission',
        '000999': 'bad_request'
      })) {
        server.instead = () => ({ status: 422, body: { code, message: 'refused' } })
        await assert.rejects(
          using((opened) => collect(opened, { stream: 'PLANT.readings' })),
          { code: meaning }
        )
      }
    })
  }
)

it('Snowflake takes no position for a part of a statement', () => {
  assert.equal(SNOWFLAKE.form('TEXT').literal(`\\'; DROP`), `'\\\\''; DROP'`)
})

it('times of Snowflake are read exactly', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(-6e13), max: new Date(2.5e14), noInvalidDate: true }), (date) => {
      const ms = date.getTime()
      const text = `${ms < 0 ? '-' : ''}${Math.floor(Math.abs(ms) / 1000)}.${String(Math.abs(ms) % 1000).padStart(3, '0')}000000`
      assert.equal(epochText(text), date.toISOString().replace('T', ' ').replace('Z', '000'))
    })
  )
  assert.equal(dayText('-1'), '1969-12-31')
})
