// Once: nothing of it is kept in a database of the platform.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { makeFolder } from '../../../test/support/servers/service.ts'
import { startSqlPostgres } from '../../../test/support/servers/sql-postgres.ts'
import type { SqlServer } from '../../../test/support/servers/sql-server.ts'
import type { StreamColumn } from '../../engines/drivers/index.ts'
import { DataPlane } from '../plane.ts'
import type { Relation, ResolvePlace } from '../relation.ts'
import type { Wish } from '../wish.ts'
import { StreamResolver } from './resolver.ts'

const ROWS = 50_000
const COLUMNS: readonly StreamColumn[] = [
  ['id', 'bigint'],
  ['at', 'timestamptz'],
  ['day', 'date'],
  ['label', 'text'],
  ['price', 'double'],
  ['raw', 'blob'],
  ['odd', 'text'],
  ['Odd Name', 'integer'],
  ['key', 'text']
].map(([name, type]) => ({ name, type, nullable: true }) as StreamColumn)

/** Notes the lines that were fetched for each statement. */
class Noting extends StreamResolver {
  fetched = 0

  override async resolve(...asked: [Parameters<StreamResolver['resolve']>[0], ResolvePlace, Wish?]): Promise<Relation> {
    const relation = await super.resolve(...asked)
    this.fetched = relation.files.reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0)
    return relation
  }
}

describe('streams of connectors in SQL', () => {
  let server: SqlServer
  let folder: string
  let plane: DataPlane
  let resolver: Noting
  before(async () => {
    server = await startSqlPostgres(makeFolder('streams-in-sql'))
    folder = mkdtempSync(join(tmpdir(), 'streams-in-sql-'))
    const client = new pg.Client(server)
    await client.connect()
    await client.query(`CREATE TABLE orders (id bigint PRIMARY KEY, at timestamptz, day date, label text, price double precision, raw bytea,
      odd text, "Odd Name" integer, key uuid)`)
    await client.query(`INSERT INTO orders SELECT n, timestamptz '2026-01-01 00:00+00' + n * interval '1 minute', date '2026-01-01' + (n % 30)::int,
      'label ' || n % 10, n / 4.0, decode('00ff', 'hex'), CASE n % 3 WHEN 0 THEN NULL WHEN 1 THEN '' ELSE E'a"b,\\n\\tc' END, n, NULL
      FROM generate_series(1, ${ROWS}) n`)
    await client.end()
    resolver = new Noting({
      async openStream(connectorId, stream) {
        if (connectorId !== 'cn_1') return { problem: 'there is no such connector' }
        const { host, port, user, password, database } = server
        const config = { host, port, user, password: stream === 'locked' ? 'wrong' : password, database }
        return { sourceId: 'postgres', config, ticket: '', packagesFolder: '/nowhere', columns: COLUMNS }
      },
      secretsWith: async () => ({ current: async () => undefined, replace: async () => undefined }),
      outbound: { allowPrivateNetworks: true, allowedHosts: [] },
      maxBytes: 3_000_000
    })
    plane = new DataPlane({ resolvers: [resolver], folder: join(folder, 'plane') })
  })
  after(async () => {
    await plane.close()
    await server.stop()
    rmSync(folder, { recursive: true })
  })

  const ask = async (
    sql: string,
    reference = 'connector://cn_1/public.orders',
    masks?: ReadonlyMap<string, string[]>
  ) => (await plane.query({ sql, relations: { t: reference }, masks })).rows()

  it('give every value as it is', async () => {
    const list = `id, "at", day, label, price, hex(raw), odd, "Odd Name"`
    assert.deepEqual(await ask(`SELECT ${list} FROM t WHERE id IN (1, 2, 3) ORDER BY id`), [
      [1, '2026-01-01T00:01:00.000Z', '2026-01-02', 'label 1', 0.25, '00FF', '', 1],
      [2, '2026-01-01T00:02:00.000Z', '2026-01-03', 'label 2', 0.5, '00FF', 'a"b,\n\tc', 2],
      [3, '2026-01-01T00:03:00.000Z', '2026-01-04', 'label 3', 0.75, '00FF', null, 3]
    ])
  })

  for (const [sql, answer, fetched] of [
    ['SELECT count(*) FROM t', [[ROWS]], ROWS],
    ['SELECT id FROM t WHERE id > 49998 ORDER BY id', [[49_999], [50_000]], 2],
    ['SELECT count(*) FROM (SELECT id FROM t LIMIT 7)', [[7]], 7],
    [`SELECT count(*) FROM t WHERE "at" < '2026-01-01 00:10:00' AND label = 'label 3'`, [[1]], 1],
    [`SELECT id FROM t WHERE day = DATE '2026-01-02' AND id < 40 ORDER BY id`, [[1], [31]], 2],
    ['SELECT id FROM t WHERE price <= 0.5 ORDER BY id', [[1], [2]], ROWS],
    ['SELECT a.id FROM t a JOIN t b ON b.id = a.id + 49999', [[1]], ROWS],
    ['FROM t LIMIT 0', [], 0],
    // PostgreSQL does not take this for a key, which is for the statement to say.
    [`SELECT count(*) FROM t WHERE key = 'none'`, [[0]], ROWS]
  ] as const) {
    it(`${sql} fetches ${fetched}`, async () => {
      assert.deepEqual(await ask(sql), answer)
      assert.equal(resolver.fetched, fetched)
    })
  }

  it('tell nothing of what is masked by what is left out', async () => {
    const masks = new Map([['t', ['label']]])
    assert.deepEqual(await ask(`SELECT count(*) FROM t WHERE label = 'label 3'`, undefined, masks), [[0]])
    assert.equal(resolver.fetched, ROWS)
  })

  it('say what is not there, what is too large and what can’t be entered, without a secret', async () => {
    await assert.rejects(ask('FROM t', 'connector://cn_2/x'), { code: 'not_found' })
    await assert.rejects(ask('FROM t', 'connector://cn_1/absent'), { code: 'not_found' })
    await assert.rejects(ask('FROM t'), { code: 'too_large' })
    await assert.rejects(ask('FROM t', 'connector://cn_1/locked'), (error: Error & { code: string }) => {
      assert.equal(error.code, 'unavailable')
      return !error.message.includes('wrong')
    })
  })
})
