// Once: no database. And no real server: the package is not there for tests, so a played one answers in its place.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createOutbound } from '../../outbound/index.ts'
import { SystemSource } from '../common/source.ts'
import { findSource, runSteps, type SourceFacts } from '../index.ts'
import { missingPackage } from '../testing/missing-package.ts'
import { settingsOf } from './config.ts'
import { fromCassandra } from './errors.ts'
import { CASSANDRA, type CassandraOptions, type CassandraPackage } from './package.ts'
import { CassandraSystem } from './system.ts'
import { cellOf } from './values.ts'

const CONFIG = { host: '127.0.0.1', port: 9042, keyspace: 'plant', user: 'reader', password: 's3cret-cql', tls: false }
const source = findSource('cassandra') as SourceFacts
const signal = () => AbortSignal.timeout(10_000)
const COLUMNS = [
  ['readings', 'value', 'double', 'regular', -1],
  ['readings', 'at', 'timestamp', 'clustering', 0],
  ['readings', 'machine', 'text', 'partition_key', 0],
  ['by_day', 'day', 'date', 'partition_key', 0]
]

/** No real Cassandra: pages of rows for the statements of the driver. */
function played(rows: readonly (readonly unknown[])[]) {
  const seen = {
    options: [] as CassandraOptions[],
    statements: [] as string[],
    allowed: [] as (readonly string[])[],
    open: 0,
    fails: undefined as Error | undefined
  }
  const answer = (statement: string, [, table]: readonly string[]): readonly (readonly unknown[])[] => {
    if (statement.includes('keyspaces')) return [['plant']]
    if (statement.includes('views')) return [['by_day']]
    if (statement.includes('system_schema.columns'))
      return COLUMNS.filter(([name]) => table === undefined || name === table)
    return rows
  }
  const cassandra: CassandraPackage = {
    policies: {
      loadBalancing: {
        RoundRobinPolicy: class {},
        AllowListPolicy: class {
          constructor(_: object, addresses: readonly string[]) {
            seen.allowed.push(addresses)
          }
        }
      }
    },
    Client: class {
      constructor(options: CassandraOptions) {
        seen.options.push(options)
      }
      async connect() {
        seen.open += 1
      }
      async shutdown() {
        seen.open -= 1
      }
      async execute(
        statement: string,
        parameters: readonly string[],
        { fetchSize, pageState = '0' }: { fetchSize: number; pageState?: string }
      ) {
        seen.statements.push(statement)
        if (seen.fails !== undefined) throw seen.fails
        const all = answer(statement, parameters)
        const end = Number(pageState) + fetchSize
        const page = all.slice(Number(pageState), end).map((row) => ({ values: () => row }))
        return { rows: page, pageState: end < all.length ? String(end) : null }
      }
    }
  }
  return { cassandra, seen }
}

const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
const open = ({ cassandra }: ReturnType<typeof played>, by = outbound) =>
  new SystemSource(new CassandraSystem(settingsOf(CONFIG, source), by, async () => cassandra), by)

describe('Cassandra without its package', () => missingPackage('cassandra', CASSANDRA, CONFIG))

describe('Cassandra, played', () => {
  it('finds tables and views with their keys, and says that reading can’t go on', async () => {
    assert.equal(source.isIncremental, false)
    const { streams } = await open(played([])).discover({ limit: 5, signal: signal() })
    const told = streams.map(({ name, kind, columns, keys, cursors }) => [
      name,
      kind,
      columns.map((one) => `${one.name} ${one.type}`),
      keys,
      cursors
    ])
    assert.deepEqual(told, [
      ['by_day', 'view', ['day date'], ['day'], []],
      ['readings', 'table', ['machine text', 'at timestamptz', 'value double'], ['machine', 'at'], []]
    ])
  })

  it('reads page after page, and ends with the signal', async () => {
    const rows = Array.from({ length: 25_000 }, (_, n) => ['m', new Date(n), n])
    const game = played(rows)
    const source = open(game)
    const chunks = await Array.fromAsync(source.read({ stream: 'readings', signal: signal() }))
    assert.deepEqual(
      chunks.flatMap(({ values }) => values[2] ?? []),
      rows.map(([, , n]) => n)
    )
    assert.equal(game.seen.statements.at(-1), 'SELECT "machine", "at", "value" FROM "plant"."readings"')
    const ending = new AbortController()
    const read = (async () => {
      for await (const _ of source.read({ stream: 'readings', signal: ending.signal })) ending.abort(new Error('over'))
    })()
    await assert.rejects(read, { message: 'over' })
    const absent = source.read({ stream: 'absent', signal: signal() })
    await assert.rejects(Array.fromAsync(absent), { code: 'not_found' })
    const ordered = source.read({ stream: 'readings', cursor: { column: 'at', after: null }, signal: signal() })
    await assert.rejects(Array.fromAsync(ordered), { code: 'bad_request' })
    await source.close()
    assert.equal(game.seen.open, 0)
  })

  it('keeps to the address that was checked', async () => {
    const game = played([])
    await open(game).discover({ limit: 1, signal: signal() })
    assert.deepEqual(game.seen.options[0]?.contactPoints, ['127.0.0.1:9042'])
    assert.deepEqual(new Set(game.seen.allowed[0]), new Set(['127.0.0.1:9042']))
    const guarded = createOutbound({ allowPrivateNetworks: false, allowedHosts: [] })
    const refused = open(game, guarded).discover({ limit: 1, signal: signal() })
    await assert.rejects(refused, { code: 'refused_by_policy' })
    assert.equal(game.seen.options.length, 1)
  })

  it('reads each type, and what does not fit as null', () => {
    class Uuid {
      toString() {
        return 'u-1'
      }
    }
    assert.equal(cellOf('text', new Uuid()), 'u-1')
    assert.equal(cellOf('bigint', 2n ** 62n), 2n ** 62n)
    assert.equal(cellOf('decimal', 10n ** 30n), String(10n ** 30n))
    assert.equal(cellOf('timestamptz', new Date(Number.NaN)), null)
    assert.equal(cellOf('integer', 'x'), null)
    const nested = { ids: new Set([new Uuid()]), by: new Map([[1, Buffer.from([1])]]), pair: { elements: [1n, null] } }
    assert.equal(cellOf('json', nested), '{"ids":["u-1"],"by":{"1":"AQ=="},"pair":[1,null]}')
  })

  it('tells errors apart by their documented codes', async () => {
    const response = (code: number) => Object.assign(new Error('said'), { name: 'ResponseError', code })
    const told = (error: Error) => (fromCassandra(error) as { code: string }).code
    assert.deepEqual(
      [0x0100, 0x2100, 0x1200, 0x1001, 0x2200].map((code) => told(response(code))),
      ['wrong_credentials', 'missing_permission', 'timeout', 'unavailable', 'bad_request']
    )
    const none = (inner: Error) =>
      Object.assign(new Error('all'), { name: 'NoHostAvailableError', innerErrors: { a: inner } })
    assert.equal(told(none(Object.assign(new Error('x'), { name: 'AuthenticationError' }))), 'wrong_credentials')
    assert.equal(told(none(Object.assign(new Error('x'), { code: 'CERT_HAS_EXPIRED' }))), 'tls_failed')
    const game = played([])
    game.seen.fails = response(0x2100)
    const { grants } = await runSteps(
      open(game).steps.filter(({ name }) => name === 'list'),
      5000
    )
    assert.deepEqual(grants, ['GRANT SELECT ON KEYSPACE "plant" TO "reader";'])
  })
})
