import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { startSqlPostgres } from '../../../../../test/support/servers/sql-postgres.ts'
import { sqlSuite } from '../../testing/sql-suite.ts'
import { sqlSink } from './sink.ts'
import { sqlSource } from './source.ts'

let settings: pg.ClientConfig

sqlSuite(
  'PostgreSQL',
  {
    kind: 'postgres',
    missing: undefined,
    async start(folder) {
      const server = await startSqlPostgres(folder)
      const { host, port, user, password, database } = server
      settings = { host, port, user, password, database }
      return {
        settings: { kind: 'postgres', host, port, user, password, database },
        away: () => server.stop(),
        back: () => server.restart(),
        stop: () => server.stop()
      }
    }
  },
  ({ read, workshop, server }) => {
    const execute = async (...statements: string[]) => {
      const client = new pg.Client(settings)
      await client.connect()
      for (const statement of statements) await client.query(statement)
      await client.end()
    }

    test('types carry over exactly, out of one table and into another', async () => {
      const definition = `(b boolean, i integer, l bigint, d double precision, m numeric(40,12), t text, day date,
        at timestamp, z timestamptz, j jsonb, raw bytea)`
      await execute(
        `CREATE TABLE kinds ${definition}`,
        `CREATE TABLE kinds_again ${definition}`,
        `INSERT INTO kinds VALUES
          (true, -2147483648, 9223372036854775807, 0.1, 1234567890123456789012345678.000000000001, 'ü '' \\ "', '0001-01-01',
           '2026-02-03 04:05:06.123456', '2026-02-03 04:05:06.123456+09', '{"a": [1, null, "x"]}', '\\x00ff'),
          (NULL, NULL, NULL, 'NaN', NULL, '', '9999-12-31', 'infinity', '-infinity', NULL, ''),
          (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)`
      )
      const ran = await workshop().run([
        { id: 'in', type: 'sql', config: { connection: server().settings, table: 'kinds' } },
        { id: 'out', type: 'sql', config: { connection: server().settings, table: 'kinds_again' }, inputs: ['in'] }
      ])
      assert.equal(ran.imbalance, 0)
      assert.deepEqual(ran.deadLetters, [])
      const client = new pg.Client(settings)
      await client.connect()
      const all = (table: string) =>
        client.query(`SELECT ${table}::text AS row FROM ${table} ORDER BY i, day`).then(({ rows }) => rows)
      assert.deepEqual(await all('kinds_again'), await all('kinds'))
      await client.end()
      await read('kinds/', { table: 'kinds' })
      const types = await workshop().rows('SELECT column_type AS t FROM (DESCRIBE SELECT * FROM objects)', 'kinds/')
      assert.deepEqual(
        types.map(({ t }) => t),
        'BOOLEAN INTEGER BIGINT DOUBLE VARCHAR VARCHAR DATE TIMESTAMP TIMESTAMP_WITH_TIME_ZONE JSON BLOB'
          .split(' ')
          .map((type) => type.replaceAll('_', ' '))
      )
    })

    test('what has no place here becomes a dead letter that names the column', async () => {
      const odd = `CASE n WHEN 2 THEN '294276-01-01'::timestamp WHEN 3 THEN '0044-03-15 08:00:00 BC' ELSE '2026-01-01' END`
      await execute(
        `CREATE TABLE odd AS SELECT n, ${odd} AS at, CASE n WHEN 3 THEN ${odd}::timestamptz END AS "at, too"
         FROM generate_series(1, 4) n`
      )
      const ran = await read('odd/', { table: 'odd' })
      assert.equal(ran.imbalance, 0)
      assert.deepEqual(
        ran.deadLetters.map(({ code, reason, record }) => [
          code,
          (JSON.parse(record) as { n: number }).n,
          reason.split(': ')[0]
        ]),
        [
          ['out_of_range', 2, 'at'],
          ['out_of_range', 3, 'at, at, too']
        ]
      )
    })

    test('a query may have a column twice, and names in any case', async () => {
      await read('twice/', { query: 'SELECT 1 AS id, 2 AS id, 3 AS "ID", 4 AS "a""b"' })
      assert.deepEqual(await workshop().rows('SELECT * FROM objects', 'twice/'), [
        { id: 1, id_2: 2, ID_3: 3, 'a"b': 4 }
      ])
    })

    test('rows with equal values of the cursor are read together, whatever the batches are', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 12 }), async (counts) => {
          const values = counts.flatMap((count, i) => Array.from({ length: count * 1500 }, () => i))
          await execute(
            'DROP TABLE IF EXISTS ties',
            'CREATE TABLE ties (c integer)',
            `INSERT INTO ties SELECT * FROM unnest('{${values.join(',')}}'::integer[])`
          )
          const given: (number | undefined)[] = []
          const ran = await read(
            'ties/',
            { table: 'ties', cursor: 'c' },
            {
              eager: true,
              onCommit: ({ ledger, checkpoint }) => {
                const { after } = (checkpoint.positions.in as { after: string } | undefined) ?? {}
                const wanted = values.filter((value) => after !== undefined && value <= Number(after)).length
                given.push(ledger.recordsRead - wanted)
              }
            }
          )
          assert.equal(ran.ledger.recordsRead, values.length)
          assert.ok(given.every((difference) => difference === 0))
        }),
        { numRuns: 3 }
      )
    })

    test('faults of the configuration are told by their place', () => {
      const connectorId = 'cn_1'
      const source = (config: object) =>
        sqlSource.check?.({ connectorId, ...config } as never).map(({ pointer }) => pointer)
      assert.deepEqual(source({ table: 't' }), [])
      assert.deepEqual(source({}), ['/query'])
      assert.deepEqual(source({ table: 't', query: 'q', interval: 'x' }), ['/interval', '/query'])
      const sink = (config: object) =>
        sqlSink.check?.({ connectorId, ...config } as never).map(({ pointer }) => pointer)
      assert.deepEqual(sink({}), [])
      assert.deepEqual(sink({ connection: {} }), ['/connectorId'])
      assert.deepEqual(source({ table: 't', connectorId: undefined }), ['/connectorId'])
      assert.deepEqual(sink({ mode: 'upsert' }), ['/keys'])
      assert.deepEqual(sink({ keys: ['a'] }), ['/keys'])
    })
  }
)
