// Once: no database. And no real server: none can be had here, so one answers that is made after the documentation.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type Asked, type Reply, ToldServer } from '../testing/http-server.ts'
import { collect, httpSuite } from '../testing/http-suite.ts'
import { answerOf, numbered } from '../testing/told-tables.ts'
import { headersOf } from './config.ts'
import { TRINO } from './dialect.ts'

const PAGE = 2000
const tables = {
  listed: [
    ...['id integer', 'batch bigint', 'label varchar(20)'].map((column) => {
      const [name, type] = column.split(' ')
      return ['plant', 'readings', 0, name, type, 1, 0, 1]
    }),
    ...[
      ['flag', 'boolean'],
      ['price', 'decimal(12,2)'],
      ['ratio', 'double'],
      ['at', 'timestamp(3) with time zone'],
      ['plain', 'timestamp(6)'],
      ['tags', 'array(varchar)'],
      ['raw', 'varbinary'],
      ['span', 'interval day to second']
    ].map(([name, type]) => ['plant', 'odd', 1, name, type, 1, 0, 1])
  ],
  readings: numbered((value) => value),
  odd: [
    [
      true,
      '1.50',
      'NaN',
      '2026-03-01 08:00:00.123',
      '2026-03-01 08:00:00.123456',
      ['a', null],
      'AQI=',
      '1 00:00:00.000'
    ],
    ['no', 'x', 'x', 'x', 'x', null, null, null]
  ]
}

/** A statement has an address after the other: it waits, it runs, it is over. */
function trinoServer(): ToldServer {
  const running = new Map<string, readonly (readonly unknown[])[]>()
  const results = (origin: string, id: string, page: number): Reply => {
    const rows = running.get(id) ?? []
    const data = page === 0 ? undefined : rows.slice((page - 1) * PAGE, page * PAGE)
    const isLast = page * PAGE >= rows.length && page > 0
    const nextUri = isLast ? undefined : `${origin}/v1/statement/executing/${id}/${page + 1}`
    return { body: { id, stats: { state: 'RUNNING' }, nextUri, ...(data?.length && { data }) } }
  }
  return new ToldServer(({ method, path, text, headers, origin }: Asked): Reply => {
    if (method === 'POST') {
      if (headers['x-trino-user'] !== 'reader') return { status: 401, body: 'Unauthorized' }
      assert.equal(headers['x-trino-catalog'], 'hive')
      const id = `q${running.size}`
      running.set(id, answerOf(text, tables))
      if (/broken/.test(text)) {
        return {
          body: { id, stats: {}, error: { message: 'no', errorName: 'TABLE_NOT_FOUND', errorType: 'USER_ERROR' } }
        }
      }
      return results(origin, id, 0)
    }
    if (method === 'DELETE') return { status: 204 }
    const [, , , , id = '', page] = path.split('/')
    return results(origin, id, Number(page))
  })
}

const server = trinoServer()
httpSuite(
  'Trino, as documented',
  {
    sourceId: 'trino',
    server,
    config: (port) => ({
      host: '127.0.0.1',
      port,
      tls: false,
      catalog: 'hive',
      user: 'reader',
      password: 's3cret-trino'
    }),
    stranger: { user: 'stranger' },
    secretPointer: '/password',
    secrets: ['s3cret-trino'],
    stream: 'plant.readings',
    columns: ['id integer', 'batch bigint', 'label text'],
    keys: [],
    cursors: ['id', 'batch'],
    cursor: 'batch',
    counted: 'id',
    hasLinks: true
  },
  (using) => {
    it('reads each type, and what does not fit as null without touching its neighbours', async () => {
      const [chunk] = await using((opened) => collect(opened, { stream: 'plant.odd' }))
      assert.deepEqual(chunk?.values, [
        [true, null],
        ['1.50', null],
        [Number.NaN, null],
        ['2026-03-01 08:00:00.123000', null],
        ['2026-03-01 08:00:00.123456', null],
        ['["a",null]', null],
        [Uint8Array.of(1, 2), null],
        ['1 00:00:00.000', null]
      ])
    })

    it('tells the cluster when it wants no more', async () => {
      await using(async (opened) => {
        for await (const _ of opened.read({ stream: 'plant.readings', signal: AbortSignal.timeout(9000) })) break
      })
      assert.equal(server.asked.at(-1)?.method, 'DELETE')
    })
  }
)

it('Trino gets a password with encryption only', () => {
  const settings = { host: 'h', port: 1, catalog: 'c', user: 'u', password: 'p', tls: true }
  assert.equal(headersOf(settings).authorization, 'Basic dTpw')
  assert.equal(headersOf({ ...settings, tls: false }).authorization, undefined)
})

it('Trino is asked for times by the instant', () => {
  const { literal } = TRINO.form('timestamp(6) with time zone')
  assert.equal(literal('2026-03-01 08:00:00.5'), `with_timezone(CAST('2026-03-01 08:00:00.5' AS timestamp(9)), 'UTC')`)
})
