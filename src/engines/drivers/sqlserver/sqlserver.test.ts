// Once: no database. And no real server: the package is not there for tests, so a played one answers in its place.
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { describe, it } from 'node:test'
import { createOutbound } from '../../outbound/index.ts'
import { listen } from '../../outbound/testing/servers.ts'
import { SystemSource } from '../common/source.ts'
import { TableSystem } from '../common/tables.ts'
import { findSource, type SourceFacts } from '../index.ts'
import { missingPackage } from '../testing/missing-package.ts'
import { settingsOf } from './config.ts'
import { SQL_SERVER } from './dialect.ts'
import { fromTedious } from './errors.ts'
import { TEDIOUS, type TediousConfig, type TediousPackage } from './package.ts'
import { SqlServerSpeaker } from './speaker.ts'

const CONFIG = { host: '127.0.0.1', port: 1433, database: 'plant', user: 'reader', password: 's3cret-mssql', tls: true }
const source = findSource('sqlserver') as SourceFacts
const signal = () => AbortSignal.timeout(10_000)
const LISTED = [
  ['dbo', 'readings', 0, 'id', 'int', 0, 1, 1],
  ['dbo', 'readings', 0, 'price', 'decimal', 1, 0, 1],
  ['dbo', 'readings', 0, 'at', 'datetimeoffset', 1, 0, 1],
  ['dbo', 'readings', 0, 'version', 'timestamp', 0, 0, 1],
  ['dbo', 'secret', 1, 'a', 'geography', 1, 0, 0]
]

interface Played extends TediousPackage {
  readonly statements: string[]
  readonly configs: TediousConfig[]
  pauses: number
  open: number
  /** Rows after which the connection is cut, once. */
  diesAfter: number
}

/** No real SQL Server: rows for the statement that lists columns, and for any other. */
function played(rows: readonly (readonly unknown[])[]): Played {
  const listed = new Map<object, (columns: readonly { value: unknown }[]) => void>()
  const all: Played = {
    statements: [],
    configs: [],
    pauses: 0,
    open: 0,
    diesAfter: Number.POSITIVE_INFINITY,
    Request: class {
      readonly statement: string
      readonly done: (error?: Error | null) => void
      isPaused = false
      go: () => void = () => {}
      constructor(statement: string, done: (error?: Error | null) => void) {
        this.statement = statement
        this.done = done
      }
      on(_: 'row', listener: (columns: readonly { value: unknown }[]) => void) {
        listed.set(this, listener)
      }
      pause() {
        all.pauses += 1
        this.isPaused = true
      }
      resume() {
        this.isPaused = false
        this.go()
      }
    },
    Connection: class {
      isClosed = false
      constructor(config: TediousConfig) {
        all.configs.push(config)
        all.open += 1
      }
      on() {}
      connect(done: (error?: Error) => void) {
        setImmediate(done)
      }
      execSqlBatch(request: object) {
        const { statement, done } = request as { statement: string; done: (error?: Error | null) => void }
        all.statements.push(statement)
        const wanted = statement.includes('sys.columns')
          ? LISTED.filter(([, table]) => !statement.includes('o.name = N') || statement.includes(`N'${table}'`))
          : rows
        let at = 0
        const own = request as { isPaused: boolean; go: () => void }
        own.go = () =>
          setImmediate(() => {
            while (!own.isPaused && at < wanted.length) {
              if (at >= all.diesAfter) {
                all.diesAfter = Number.POSITIVE_INFINITY
                done(Object.assign(new Error('cut'), { code: 'ECLOSE' }))
                return
              }
              listed.get(request)?.((wanted[at] ?? []).map((value) => ({ value })))
              at += 1
            }
            if (at === wanted.length && !own.isPaused) done()
          })
        own.go()
      }
      close() {
        if (!this.isClosed) all.open -= 1
        this.isClosed = true
      }
    }
  }
  return all
}

const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
function opened(tedious: TediousPackage, config = {}) {
  const speaker = new SqlServerSpeaker(settingsOf({ ...CONFIG, ...config }, source), outbound, async () => tedious)
  return new SystemSource(new TableSystem(speaker, SQL_SERVER), outbound)
}

describe('SQL Server without its package', () => missingPackage('sqlserver', TEDIOUS, CONFIG))

describe('SQL Server, played', () => {
  it('finds tables and views with types, keys and rights', async () => {
    const { streams } = await opened(played([])).discover({ limit: 10, signal: signal() })
    const told = streams.map(({ name, kind, isReadable, columns, keys, cursors }) => [
      ...[name, kind, isReadable, columns.map((column) => column.type).join()],
      ...[keys, cursors]
    ])
    assert.deepEqual(told, [
      ['dbo.readings', 'table', true, 'integer,decimal,timestamptz,bigint', ['id'], ['id', 'price', 'at', 'version']],
      ['dbo.secret', 'view', false, 'text', [], []]
    ])
  })

  it('asks for what loses nothing on its way, in the order of the column itself', async () => {
    const tedious = played([[1, '1.50', '2026-03-01 08:00:00.1234567', '7']])
    const cursor = { column: 'version', after: '6' }
    const [chunk] = await Array.fromAsync(
      opened(tedious).read({ stream: 'dbo.readings', cursor, limit: 5, signal: signal() })
    )
    assert.deepEqual(chunk?.values, [[1], ['1.50'], ['2026-03-01 08:00:00.1234567'], [7n]])
    assert.equal(chunk?.position, '7')
    assert.equal(
      tedious.statements.at(-1),
      'SELECT TOP (5) WITH TIES t.[id] AS [c0], CAST(t.[price] AS varchar(64)) AS [c1], ' +
        'CONVERT(varchar(30), CAST(SWITCHOFFSET(t.[at], 0) AS datetime2(7)), 121) AS [c2], CAST(t.[version] AS bigint) AS [c3] ' +
        "FROM [dbo].[readings] t WHERE t.[version] > CAST(CAST(N'6' AS bigint) AS binary(8)) ORDER BY t.[version]"
    )
    assert.equal(tedious.open, 0)
  })

  it('takes no position and no name for a part of a statement', async () => {
    const tedious = played([])
    for (const after of ["1'; DROP TABLE x --", '1 OR 1=1', '']) {
      const read = opened(tedious).read({ stream: 'dbo.readings', cursor: { column: 'id', after }, signal: signal() })
      await assert.rejects(Array.fromAsync(read), { code: 'bad_request' })
    }
    const odd = opened(tedious).read({ stream: `dbo."x'; DROP TABLE y --"`, signal: signal() })
    await assert.rejects(Array.fromAsync(odd), { code: 'not_found' })
    assert.match(tedious.statements.at(-1) ?? '', /o\.name = N'x''; DROP TABLE y --'/)
    await assert.rejects(Array.fromAsync(opened(tedious).read({ stream: 'readings', signal: signal() })), {
      code: 'not_found'
    })
  })

  it('holds the server up while nobody takes its rows, and says when it was cut off', async () => {
    const rows = Array.from({ length: 30_000 }, (_, id) => [id, null, null, String(id)])
    const tedious = played(rows)
    const chunks = await Array.fromAsync(opened(tedious).read({ stream: 'dbo.readings', signal: signal() }))
    assert.deepEqual(
      chunks.flatMap(({ values }) => values[0] ?? []),
      rows.map(([id]) => id)
    )
    assert.ok(tedious.pauses > 5)
    tedious.diesAfter = 15_000
    const cut = Array.fromAsync(opened(tedious).read({ stream: 'dbo.readings', signal: signal() }))
    await assert.rejects(cut, { code: 'unreachable' })
    const ending = new AbortController()
    const ended = (async () => {
      for await (const _ of opened(tedious).read({ stream: 'dbo.readings', signal: ending.signal }))
        ending.abort(new Error('over'))
    })()
    await assert.rejects(ended, { message: 'over' })
    assert.equal(tedious.open, 0)
  })

  it('connects to the address that was checked, and to no server that it is sent on to', async () => {
    const server = createServer()
    const { port } = await listen(server, {})
    const tedious = played([])
    await opened(tedious, { port }).discover({ limit: 1, signal: signal() })
    const { connector } = tedious.configs[0]?.options ?? {}
    const socket = await connector?.({ host: CONFIG.host, port })
    assert.equal(socket?.remotePort, port)
    socket?.destroy()
    await assert.rejects(async () => connector?.({ host: 'other.example', port }), { code: 'refused_by_policy' })
    server.close()
  })

  it('tells errors apart by their documented numbers', () => {
    const told = (number: number) =>
      fromTedious(Object.assign(new Error('said'), { code: 'EREQUEST', number })) as { code: string }
    assert.deepEqual(
      [18456, 4060, 208, 229, 1205, 245].map((number) => told(number).code),
      ['wrong_credentials', 'not_found', 'not_found', 'missing_permission', 'unavailable', 'bad_request']
    )
    const login = new AggregateError([Object.assign(new Error('Login failed'), { code: 'ELOGIN', number: 18456 })])
    assert.equal((fromTedious(login) as { code: string }).code, 'wrong_credentials')
  })
})
