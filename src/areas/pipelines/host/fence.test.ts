import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { resizeDatabase } from '../duckdb/database.ts'
import { openWorkshop, type Workshop } from '../testing/workshop.ts'
import { checkSql } from './check-sql.ts'

const pipeline = (type: string, config: object) => [
  { id: 'in', type: 'webhook', config: {}, inputs: [] },
  { id: 'it', type, config: config as Record<string, never>, inputs: ['in'] },
  { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'p/', format: 'ndjson' }, inputs: ['it'] }
]

/** What read records of another pipeline, a file, the key of a mask, or held a thread. */
const ATTACKS: readonly [type: string, config: object][] = [
  ['sql', { query: "FROM histogram_values('duckdb_columns', table_name)" }],
  ['sql', { query: 'FROM histogram_values(\'"p1"."dd:state:seen"\', k)' }],
  ['sql', { query: 'SELECT * FROM (WITH "x.parquet" AS (SELECT 1) SELECT 1) x, "x.parquet"' }],
  ['sql', { query: 'FROM other' }],
  ['map', { select: { q: 'current_query()' } }],
  ['map', { select: { q: 'in.current_query()' } }],
  ['filter', { where: 'pg_sleep(1) IS NULL' }],
  ['aggregate', { time: 't', window: { tumbling: '1m' }, groupBy: [], select: { a: 'max(current_query())' } }],
  ['map', { select: { q: '1) AS "x", (2' } }]
]

describe('the fence around the SQL of a pipeline', () => {
  let workshop: Workshop

  before(async () => {
    workshop = await openWorkshop()
  })
  after(() => workshop.close())

  for (const [type, config] of ATTACKS) {
    it(`stands when a definition is taken and when it runs: ${JSON.stringify(config)}`, async () => {
      const nodes = pipeline(type, config)
      assert.notDeepEqual(await checkSql(workshop.instance, nodes), [])
      const ran = workshop.run(nodes, { batches: { in: [[{ n: 1, t: '2026-01-01' }]] } })
      await assert.rejects(ran, { code: 'sql_refused', nodeId: 'it' })
    })
  }

  it('gives each run a database of its own that is gone with it', async () => {
    const count = 'SELECT database_name FROM duckdb_databases() ORDER BY 1'
    const before = await workshop.rows(count)
    let within: Record<string, unknown>[] = []
    await workshop.run(pipeline('map', { select: { a: 'n' } }), {
      batches: { in: [[{ n: 1 }], [{ n: 2 }]] },
      onCommit: async () => {
        within = await workshop.rows(count)
      }
    })
    assert.equal(within.length, before.length + 1)
    assert.deepEqual(await workshop.rows(count), before)
  })

  it('leaves nothing of the database to be set but its memory', async () => {
    await resizeDatabase(workshop.instance, 1 << 29)
    const connection = await workshop.instance.connect()
    for (const sql of [
      'SET threads = 7',
      'SET enable_external_access = true',
      "SET allowed_directories = ['/']",
      "SET allowed_configs = ['threads']",
      'SET lock_configuration = false',
      'RESET lock_configuration',
      'INSTALL httpfs'
    ]) {
      await assert.rejects(connection.run(sql), sql)
    }
    connection.closeSync()
  })

  it('keeps files outside of its folder shut, even for SQL that nobody looked at', async () => {
    const outside = `${workshop.folder}-canary.csv`
    writeFileSync(outside, 'a\n1\n')
    const connection = await workshop.instance.connect()
    for (const sql of [
      `FROM '${outside}'`,
      `FROM read_text('${outside}')`,
      `ATTACH '${outside}.db'`,
      `COPY (SELECT 1) TO '${outside}'`
    ]) {
      await assert.rejects(connection.run(sql), /Permission|disabled/, sql)
    }
    connection.closeSync()
    rmSync(outside)
  })
})
