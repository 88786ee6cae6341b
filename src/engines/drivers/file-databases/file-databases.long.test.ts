import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { DuckDBInstance } from '@duckdb/node-api'
import { missingCeph, startCeph } from '../../../../test/support/servers/ceph.ts'
import { makeFolder, removeFolder } from '../../../../test/support/servers/service.ts'
import { startTlsFront } from '../../../../test/support/servers/tls-front.ts'
import { openStore } from '../../objects/index.ts'
import { bodyOf } from '../../objects/testing/bodies.ts'
import { createOutbound } from '../../outbound/index.ts'
import { quoteTableName } from '../../sql/index.ts'
import { runSteps } from '../index.ts'
import { countFlat, limitOfTest, recordsOf, withSource } from '../queues/testing/reading.ts'
import { driverContract } from '../testing/contract.ts'
import { fault, LONG_AGO } from '../testing/files.ts'
import type { DatabaseKind } from './heads.ts'
import { serveFolder, type WebFolder } from './testing/web-folder.ts'

const ROWS = 25_000
const LARGE = 1_000_000
const ODD = quoteTableName('main', 'odd "name.x')
const KINDS = ['sqlite', 'duckdb'] as const

/** Makes a database file by statements, as if it had been there for some time. */
async function makeFile(kind: DatabaseKind, path: string, ...statements: string[]): Promise<void> {
  rmSync(path, { force: true })
  if (kind === 'sqlite') {
    const database = new DatabaseSync(path)
    for (const statement of statements) database.exec(statement)
    database.close()
  } else {
    const instance = await DuckDBInstance.create(path)
    const connection = await instance.connect()
    for (const statement of statements) await connection.run(statement)
    await connection.run('CHECKPOINT')
    connection.closeSync()
    instance.closeSync()
  }
  utimesSync(path, LONG_AGO, LONG_AGO)
}

const numbers = (kind: DatabaseKind, count: number) =>
  kind === 'sqlite'
    ? `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) INSERT INTO readings SELECT i, 'row ' || i FROM n`
    : `INSERT INTO readings SELECT range, 'row ' || range FROM range(1, ${count + 1})`

const readings = (kind: DatabaseKind, count: number) => [
  'CREATE TABLE readings (id BIGINT PRIMARY KEY, label VARCHAR)',
  numbers(kind, count)
]

for (const kind of KINDS) {
  driverContract(`a file of ${kind} as a source`, {
    sourceId: kind,
    missing: undefined,
    async start() {
      const folder = makeFolder(`drivers-${kind}`)
      await makeFile(kind, join(folder, 'history.db'), ...readings(kind, ROWS))
      writeFileSync(join(folder, 'garbage.db'), 'x'.repeat(10_000))
      let web = await serveFolder(folder)
      const { url } = web
      const front = await startTlsFront(Number(new URL(url).port))
      const at = (path: string) => ({ url: `${url}/${path}` })
      return {
        config: at('history.db'),
        secrets: [],
        steps: ['resolve', 'policy', 'connect', 'tls', 'authenticate', 'list', 'read'],
        wrong: {
          'a name that is none': fault({ url: 'http://nowhere.invalid/a' }, 'resolve', 'unknown_host', '/url'),
          'a closed port': fault({ url: 'http://127.0.0.1:1/a' }, 'connect', 'unreachable', '/url'),
          'encryption where there is none': fault({ url: url.replace('http', 'https') }, 'tls', 'tls_failed', '/url'),
          'no file': fault(at('absent.db'), 'list', 'not_found', '/url'),
          'a file of something else': fault(at('garbage.db'), 'list', 'bad_request', '/url')
        },
        stream: {
          name: 'main.readings',
          kind: 'table',
          columns: ['id bigint', 'label text'],
          keys: ['id'],
          cursors: ['id', 'label'],
          column: 'id',
          values: Array.from({ length: ROWS }, (_, i) => BigInt(i + 1)),
          cursor: 'id'
        },
        present(certificate) {
          front.present(certificate)
          return { url: `https://localhost:${front.port}/history.db` }
        },
        async stop() {
          await front.stop()
          await web.stop()
          removeFolder(folder)
        },
        async restart() {
          await web.stop()
          web = await serveFolder(folder, Number(new URL(url).port))
        }
      }
    }
  })
}

/** What is written, as what type it is found, and what is read. */
const SQLITE_VALUES: readonly (readonly [declared: string, sql: string, type: string, value: unknown])[] = [
  ['INTEGER', '-9223372036854775808', 'bigint', -9223372036854775808n],
  ['TINYINT', '7', 'bigint', 7n],
  ['BOOLEAN', '1', 'boolean', true],
  ['REAL', '0.1', 'double', 0.1],
  ['DOUBLE PRECISION', '1e308 * 10', 'double', Number.POSITIVE_INFINITY],
  ['NUMERIC(10, 2)', '12.25', 'decimal', '12.25'],
  ['TEXT', "'ünïcode 😀'", 'text', 'ünïcode 😀'],
  ['VARCHAR(20)', '12', 'text', '12'],
  ['BLOB', "x'00FF'", 'blob', Buffer.from([0, 255])],
  ['DATETIME', "'2026-02-28 01:02:03'", 'text', '2026-02-28 01:02:03'],
  ['', "'anything'", 'text', 'anything'],
  ['', '12', 'text', '12'],
  ['', "x'00FF'", 'text', '00ff'],
  ['INTEGER', "'no number'", 'bigint', null],
  ['TEXT', 'NULL', 'text', null]
]
const DUCKDB_VALUES: readonly (readonly [declared: string, sql: string, type: string, value: unknown])[] = [
  ['BOOLEAN', 'true', 'boolean', true],
  ['TINYINT', '-128', 'integer', -128],
  ['UINTEGER', '4294967295', 'bigint', 4294967295n],
  ['BIGINT', '-9223372036854775808', 'bigint', -9223372036854775808n],
  ['UBIGINT', '18446744073709551615', 'bigint', 18446744073709551615n],
  ['HUGEINT', '170141183460469231731687303715884105727', 'decimal', '170141183460469231731687303715884105727'],
  ['DOUBLE', '0.1', 'double', 0.1],
  ['DECIMAL(30, 4)', '12345678901234567890.1234', 'decimal', '12345678901234567890.1234'],
  ['VARCHAR', "'ünïcode 😀'", 'text', 'ünïcode 😀'],
  ['BLOB', "'\\x00\\xFF'", 'blob', Buffer.from([0, 255])],
  ['DATE', "'2026-02-28'", 'date', '2026-02-28'],
  ['TIMESTAMP', "'2026-02-28 01:02:03.456789'", 'timestamp', '2026-02-28 01:02:03.456789'],
  ['TIMESTAMPTZ', "'2026-02-28 01:02:03+02'", 'timestamptz', '2026-02-27 23:02:03.000000'],
  ['TIME', "'01:02:03'", 'text', '01:02:03'],
  ['UUID', "'00000000-0000-0000-0000-000000000001'", 'text', '00000000-0000-0000-0000-000000000001'],
  ['INTEGER[]', '[1, NULL]', 'json', '[1,null]'],
  ['STRUCT(a INTEGER)', "{'a': 1}", 'json', '{"a":1}'],
  ['INTEGER', 'NULL', 'integer', null]
]

describe('what is in database files', () => {
  let folder: string
  let web: WebFolder
  before(async () => {
    folder = makeFolder('drivers-file-databases')
    web = await serveFolder(folder)
  })
  after(async () => {
    await web?.stop()
    removeFolder(folder)
  })
  const at = (name: string) => ({ url: `${web.url}/${name}` })
  const make = (kind: DatabaseKind, name: string, ...statements: string[]) =>
    makeFile(kind, join(folder, name), ...statements)
  const streamsOf = (kind: DatabaseKind, name: string) =>
    withSource(kind, at(name), (opened) => opened.discover({ limit: 100, signal: limitOfTest() }))

  for (const [kind, values] of [['sqlite', SQLITE_VALUES] as const, ['duckdb', DUCKDB_VALUES] as const]) {
    it(`every type of ${kind} is read back as it was written`, async () => {
      const columns = values.map(([declared], i) => `c${i} ${declared}`).join(', ')
      const sql = values.map(([, value]) => value).join(', ')
      await make(kind, `types.${kind}`, `CREATE TABLE types (${columns})`, `INSERT INTO types VALUES (${sql})`)
      const { streams } = await streamsOf(kind, `types.${kind}`)
      const [record] = await withSource(kind, at(`types.${kind}`), (opened) => recordsOf(opened, 'main.types'))
      for (const [i, [declared, , type, value]] of values.entries()) {
        assert.equal(streams[0]?.columns[i]?.type, type, declared)
        const found = record?.[`c${i}`]
        assert.deepEqual(found instanceof Uint8Array ? Buffer.from(found) : found, value, declared)
      }
    })

    it(`${kind}: views, keys and odd names are found, and views that need what is not there harm no other`, async () => {
      const broken =
        kind === 'sqlite'
          ? ['CREATE VIEW broken AS SELECT * FROM absent']
          : ['CREATE TABLE gone (a INT)', 'CREATE VIEW broken AS SELECT * FROM gone', 'DROP TABLE gone']
      await make(
        kind,
        `odd.${kind}`,
        'CREATE TABLE "odd ""name.x" ("a b" INTEGER, "c" VARCHAR, PRIMARY KEY (c, "a b"))',
        `INSERT INTO "odd ""name.x" VALUES (1, 'x')`,
        'CREATE VIEW twice AS SELECT "a b" * 2 AS a, c FROM "odd ""name.x"',
        ...broken
      )
      const { streams } = await streamsOf(kind, `odd.${kind}`)
      const found = new Map(streams.map((stream) => [stream.name, stream]))
      const odd = found.get(ODD)
      assert.deepEqual([odd?.kind, odd?.keys], ['table', ['c', 'a b']])
      assert.equal(found.get('main.twice')?.kind, 'view')
      await withSource(kind, at(`odd.${kind}`), async (opened) => {
        assert.deepEqual(await recordsOf(opened, ODD), [{ 'a b': kind === 'sqlite' ? 1n : 1, c: 'x' }])
        const [twice] = await recordsOf(opened, 'main.twice')
        assert.equal(String(twice?.a), '2')
        await assert.rejects(recordsOf(opened, 'main.broken'))
        assert.ok((await runSteps(opened.steps, 20_000)).success)
      })
    })

    it(`${kind}: reading goes on by any column that sorts`, async () => {
      await make(
        kind,
        `cursors.${kind}`,
        'CREATE TABLE t (id INTEGER, moment TIMESTAMP, amount DECIMAL(10, 2))',
        `INSERT INTO t VALUES (1, '2026-01-01 00:00:00', 1.5), (2, '2026-01-02 00:00:00', 2.5), (3, '2026-01-03 00:00:00', 10.5)`
      )
      for (const column of ['id', 'moment', 'amount']) {
        const ids: unknown[] = []
        let position: string | null = null
        await withSource(kind, at(`cursors.${kind}`), async (opened) => {
          for (;;) {
            const before = ids.length
            const request = { stream: 'main.t', cursor: { column, after: position }, limit: 1, signal: limitOfTest() }
            for await (const chunk of opened.read(request)) {
              ids.push(...(chunk.values[0] ?? []).map(Number))
              position = chunk.position ?? position
            }
            if (ids.length === before) return
          }
        })
        assert.deepEqual(ids, [1, 2, 3], column)
      }
    })

    it(`${kind}: garbage, half a file and bytes that were changed are told, and harm nothing`, async () => {
      await make(kind, `whole.${kind}`, ...readings(kind, 50_000))
      const whole = join(folder, `whole.${kind}`)
      const bytes = readFileSync(whole)
      const refused = async (name: string) => {
        const { success, checks } = await withSource(kind, at(name), ({ steps }) => runSteps(steps, 20_000))
        const failed = checks.find(({ ok }) => !ok)
        assert.deepEqual([success, failed?.code, failed?.pointer], [false, 'bad_request', '/url'], name)
        return failed?.message ?? ''
      }
      writeFileSync(join(folder, 'garbage'), 'no database at all')
      assert.match(await refused('garbage'), /is no (SQLite|DuckDB) database/)
      writeFileSync(join(folder, 'empty'), '')
      assert.match(await refused('empty'), /is no (SQLite|DuckDB) database/)
      copyFileSync(whole, join(folder, 'half'))
      truncateSync(join(folder, 'half'), 8192)
      assert.match(await refused('half'), kind === 'sqlite' ? /cut off/ : /no whole DuckDB database/)
      const changed = Buffer.from(bytes)
      for (let offset = 4096; offset < changed.length; offset += 512) changed[offset] = 0xff
      writeFileSync(join(folder, 'changed'), changed)
      await withSource(kind, at('changed'), (opened) =>
        assert.rejects(recordsOf(opened, 'main.readings'), { name: 'SourceError' })
      )
    })

    it(`${kind}: a million rows are read with flat memory, in any order`, async () => {
      await make(kind, `large.${kind}`, ...readings(kind, LARGE))
      await withSource(kind, at(`large.${kind}`), async (opened) => {
        assert.equal(await countFlat(opened, 'main.readings', LARGE), LARGE)
        let rows = 0
        const cursor = { column: 'label', after: null }
        for await (const chunk of opened.read({ stream: 'main.readings', cursor, signal: limitOfTest() }))
          rows += chunk.rows
        assert.equal(rows, LARGE)
      })
    })

    it(`${kind}: a file is copied again when it was changed, and one that changes meanwhile is told`, async () => {
      const name = `changing.${kind}`
      await make(kind, name, ...readings(kind, 10))
      await withSource(kind, at(name), async (opened) => {
        web.sent = 0
        assert.equal((await recordsOf(opened, 'main.readings')).length, 10)
        assert.equal((await recordsOf(opened, 'main.readings')).length, 10)
        assert.equal(web.sent, 1)
        await make(kind, name, ...readings(kind, 20))
        utimesSync(join(folder, name), LONG_AGO + 60, LONG_AGO + 60)
        assert.equal((await recordsOf(opened, 'main.readings')).length, 20)
        assert.equal(web.sent, 2)
        const begun = opened.read({ stream: 'main.readings', limit: 5, signal: limitOfTest() })[Symbol.asyncIterator]()
        await begun.next()
        utimesSync(join(folder, name), LONG_AGO + 120, LONG_AGO + 120)
        web.onSending = () => utimesSync(join(folder, name), LONG_AGO + 180, LONG_AGO + 180)
        await assert.rejects(recordsOf(opened, 'main.readings'), { code: 'unavailable', message: /was changed/ })
        web.onSending = undefined
        assert.equal((await recordsOf(opened, 'main.readings')).length, 20)
        await begun.return?.()
      })
      web.tellsTimes = false
      await withSource(kind, at(name), async (opened) => {
        assert.equal((await recordsOf(opened, 'main.readings')).length, 20)
      })
      web.tellsTimes = true
    })
  }

  it('a file of SQLite that was left in WAL mode is read', async () => {
    await make('sqlite', 'wal', 'PRAGMA journal_mode = WAL', ...readings('sqlite', 10))
    assert.equal((await withSource('sqlite', at('wal'), (opened) => recordsOf(opened, 'main.readings'))).length, 10)
  })

  it('views reach nothing outside of their file', async () => {
    writeFileSync(join(folder, 'secret.csv'), 'a\nsecret\n')
    const secret = join(folder, 'secret.csv')
    await make(
      'duckdb',
      'spy.duckdb',
      'CREATE TABLE t (a INT)',
      `CREATE VIEW spy AS SELECT * FROM read_csv('${secret}')`
    )
    await withSource('duckdb', at('spy.duckdb'), async (opened) => {
      await assert.rejects(recordsOf(opened, 'main.spy'), { code: 'bad_request' })
      assert.deepEqual(await recordsOf(opened, 'main.t'), [])
    })
  })

  it('a view without an end is ended by the signal', async () => {
    await make(
      'sqlite',
      'endless',
      'CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) AS m FROM n'
    )
    await withSource('sqlite', at('endless'), async (opened) => {
      const controller = new AbortController()
      const reading = recordsOf(opened, 'main.endless', { signal: controller.signal })
      const timer = setTimeout(() => controller.abort(new Error('no longer wanted')), 1000)
      await assert.rejects(reading, /no longer wanted/)
      clearTimeout(timer)
    })
  })
})

describe('a database file on S3', { skip: missingCeph() ?? false }, () => {
  it('is read with the keys of the bucket', async () => {
    const ceph = await startCeph()
    const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    const folder = makeFolder('drivers-file-databases-s3')
    try {
      const { port, accessKey, secretKey } = ceph
      const endpoint = {
        kind: 's3',
        endpoint: '127.0.0.1',
        port,
        useTls: false,
        region: undefined,
        pathStyle: true
      } as const
      const { store, close } = await openStore(
        { ...endpoint, accessKey, secretKey },
        { outbound: async () => outbound, now: Date.now }
      )
      await store.createBucket('plant')
      mkdirSync(join(folder, 'made'))
      await makeFile('sqlite', join(folder, 'made', 'history.db'), ...readings('sqlite', 100))
      const bytes = readFileSync(join(folder, 'made', 'history.db'))
      await store.put('plant', 'exports/history.db', bodyOf(bytes), { contentType: 'application/octet-stream' })
      await close()
      const config = { url: 's3://plant/exports/history.db', host: '127.0.0.1', port, tls: false, accessKey, secretKey }
      const tested = (changes: object) =>
        withSource('sqlite', { ...config, ...changes }, ({ steps }) => runSteps(steps, 20_000))
      const { success, message } = await tested({})
      assert.ok(success, message)
      assert.equal((await withSource('sqlite', config, (opened) => recordsOf(opened, 'main.readings'))).length, 100)
      const failedAt = async (changes: object) => {
        const failed = (await tested(changes)).checks.find(({ ok }) => !ok)
        return [failed?.name, failed?.code, failed?.pointer]
      }
      assert.deepEqual(await failedAt({ secretKey: 'wrong' }), ['authenticate', 'wrong_credentials', '/secretKey'])
      assert.deepEqual(await failedAt({ url: 's3://plant/absent.db' }), ['list', 'not_found', '/url'])
      assert.deepEqual(await failedAt({ url: 's3://absent/a.db' }), ['list', 'not_found', '/url'])
    } finally {
      await outbound.close()
      await ceph.stop()
      removeFolder(folder)
    }
  })
})
