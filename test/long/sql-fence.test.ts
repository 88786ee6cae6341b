import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { enclosed } from '../../src/areas/pipelines/duckdb/expression.ts'
import { parseAll, type SqlPart, selectOf } from '../../src/areas/pipelines/duckdb/parse-sql.ts'
import { refusalOf } from '../../src/areas/pipelines/host/fence.ts'
import { ALLOWED_FUNCTIONS, ALLOWED_TABLE_FUNCTIONS } from '../../src/data/sql-process/allowed-functions.ts'
import { checkStatement, type ParsedSql } from '../../src/data/sql-process/statement-check.ts'
import { SHUT_OFF } from '../../src/engines/sql-options.ts'
import { fixSeed } from '../support/fixed-seed.ts'
import { type Catalogue, HostileSql } from '../support/hostile-sql.ts'
import { tries } from '../support/thorough.ts'

const BATCHES = 200
/** On a machine that is busy with other things fewer are tried. */
const LIMIT_MS = tries(120_000, 240_000)
const PER_BATCH = 1000
/** What no statement holds, so that it is in an answer only where something was read that must not be. */
const CANARY = 'Ostrich7Feather'
const FOUND = new RegExp(`${CANARY}|${[...CANARY].reverse().join('')}`, 'i')
const STATEMENT_LIMIT_MS = 300

const INPUT = "SELECT 1 AS a, 'b' AS b, 2 AS n, [1, 2] AS l, 's' AS s, {'x': 1} AS k, 3 AS x"

/** SQL of a user, and how a pipeline or a query over data would run it. */
interface Trial {
  readonly part: SqlPart
  readonly whole: string
  readonly isView: boolean
}

describe('the fence against statements that nobody thought of', () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-fence-'))
  let instance: DuckDBInstance
  let database: DuckDBConnection
  let catalogue: Catalogue
  fixSeed()

  before(async () => {
    process.env.FENCE_CANARY = CANARY
    mkdirSync(join(folder, CANARY))
    // Its files are open to DuckDB here: the check alone has to stand.
    instance = await DuckDBInstance.create(':memory:', {
      ...SHUT_OFF,
      threads: '1',
      memory_limit: '1GB',
      custom_user_agent: CANARY
    })
    database = await instance.connect()
    catalogue = await prepare()
  })
  after(() => {
    delete process.env.FENCE_CANARY
    // The database ends with the process: closed after all that was tried and interrupted in it, DuckDB may crash.
    rmSync(folder, { recursive: true })
  })

  async function prepare(): Promise<Catalogue> {
    const files = ['secret.csv', 'secret.parquet', 'secret.json'].map((name) => join(folder, name))
    for (const statement of [
      `CREATE TABLE seen AS SELECT '${CANARY}' AS a, '${CANARY}' AS k`,
      `CREATE VIEW seen_view AS SELECT '${CANARY}' AS a`,
      'CREATE SCHEMA p12',
      `CREATE TABLE p12."dd:state:seen" AS SELECT '${CANARY}' AS a, '${CANARY}' AS k`,
      `ATTACH ':memory:' AS "run_${CANARY}"`,
      `CREATE TABLE "run_${CANARY}".seen AS SELECT '${CANARY}' AS a`,
      `CREATE SCHEMA "schema_${CANARY}"`,
      `CREATE VIEW viewed AS ${INPUT}`,
      `SET VARIABLE secret = '${CANARY}'`,
      `CREATE SECRET hidden (TYPE http, BEARER_TOKEN '${CANARY}')`,
      `COPY (SELECT '${CANARY}' AS a) TO '${files[0]}'`,
      `COPY (SELECT '${CANARY}' AS a) TO '${files[1]}'`,
      `COPY (SELECT '${CANARY}' AS a) TO '${files[2]}'`,
      `SET temp_directory = '${join(folder, CANARY)}'`,
      `SET file_search_path = '${folder}'`
    ]) {
      await database.run(statement)
    }
    writeFileSync(join(folder, 'secret.txt'), CANARY)
    const names = async (query: string) => (await database.runAndReadAll(query)).getRows().map(([name]) => String(name))
    const functions = (kinds: string) =>
      names(`SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN (${kinds}) ORDER BY 1`)
    return {
      functions: (await functions("'scalar', 'macro', 'aggregate'")).filter((name) => /^\w+$/.test(name)),
      tableFunctions: await functions("'table', 'table_macro'"),
      views: await names('SELECT DISTINCT view_name FROM duckdb_views() ORDER BY 1'),
      settings: [
        ...(await names("SELECT name FROM duckdb_settings() WHERE name LIKE '%director%' OR name LIKE '%path%'")),
        ...['FENCE_CANARY', 'secret', 'custom_user_agent', 'temp_directory', 'threads']
      ],
      types: await names('SELECT DISTINCT type_name FROM duckdb_types() ORDER BY 1'),
      forbidden: [
        ...['seen', 'seen_view', 'p12.seen', '"p12"."dd:state:seen"', 'main.seen', 'secret.csv', 'secret.parquet'],
        ...[
          ...files,
          join(folder, 'secret.txt'),
          join(folder, '*'),
          '/proc/self/environ',
          'duckdb_settings',
          'secret.json'
        ]
      ],
      relations: ['it', 'input'],
      harmless: [...ALLOWED_FUNCTIONS].filter((name) => /^\w+$/.test(name)),
      harmlessTableFunctions: [...ALLOWED_TABLE_FUNCTIONS]
    }
  }

  function* trials(seed: number, count: number): Generator<Trial> {
    const hostile = new HostileSql(catalogue, seed)
    const viewing = new HostileSql({ ...catalogue, relations: ['viewed', 'main.viewed'] }, seed + 1)
    const secret = `/* ${CANARY} */ WITH "millrace:secret" AS (SELECT '${CANARY}' AS a)`
    for (let n = 0; n < count; n++) {
      if (n % 4 === 0) {
        const text = hostile.expression()
        const whole = `${secret} SELECT ${enclosed(text)} AS v FROM (${INPUT}) AS input`
        yield { part: { pointer: '', text, form: n % 8 === 0 ? 'row' : 'group' }, whole, isView: false }
      } else if (n % 4 === 1) {
        const text = viewing.statement()
        yield { part: { pointer: '', text, form: 'statement' }, whole: text, isView: true }
      } else {
        const text = hostile.statement()
        const select = `WITH it AS (${INPUT}), input AS (${INPUT}) SELECT * FROM (\n${text}\n)`
        yield { part: { pointer: '', text, form: 'statement' }, whole: `${secret} FROM (${select})`, isView: false }
      }
    }
  }

  function isRefused({ part, isView }: Trial, parsed: ParsedSql): boolean {
    if (!isView) return refusalOf(part, parsed, ['it'], new Set()) !== undefined
    try {
      checkStatement(parsed, part.text, { names: ['viewed'], schema: 'main' })
      return false
    } catch {
      return true
    }
  }

  /** All that whoever wrote the statement gets to see of it. */
  async function shownBy(whole: string): Promise<{ shown: string; isError: boolean }> {
    const timer = setTimeout(() => database.interrupt(), STATEMENT_LIMIT_MS)
    try {
      const reader = await database.runAndReadUntil(whole, 100)
      return { shown: reader.columnNames().join() + JSON.stringify(reader.getRowsJson()), isError: false }
    } catch (error) {
      // Errors are shown without the statement.
      return { shown: (error as Error).message.split(/\n+LINE \d+:/, 1)[0] as string, isError: true }
    } finally {
      clearTimeout(timer)
    }
  }

  it('finds what is read', async () => {
    for (const statement of [
      'FROM seen',
      "FROM histogram_values('seen', a)",
      `SELECT * FROM (WITH "secret.parquet" AS (SELECT 1) SELECT 1) x, "secret.parquet"`,
      "FROM read_text('secret.txt')",
      `/* ${CANARY} */ SELECT current_query()`,
      "SELECT getvariable('secret')",
      "SELECT current_setting('temp_directory')",
      'FROM duckdb_databases()',
      "SELECT reverse(a) FROM 'secret.csv'"
    ]) {
      assert.match((await shownBy(statement)).shown, FOUND, statement)
    }
  })

  it('is made of statements of which many would read it', async () => {
    let [read, refused] = [0, 0]
    for (const trial of trials(7, 3000)) {
      const parsed = await parseAll(database, [selectOf(trial.part)])
      if (!isRefused(trial, parsed.get(selectOf(trial.part)) as ParsedSql)) continue
      // What changes the database or waits is not tried.
      if (/logging|profiling|checkpoint|peg|sleep|write_log|nextval|log/i.test(trial.whole)) continue
      refused += 1
      if (FOUND.test((await shownBy(trial.whole)).shown)) read += 1
    }
    assert.ok(read > 20, `${read} of ${refused}`)
  })

  it('lets none through that reads a file, a table of another, the environment, a setting or its own text', async () => {
    let [tried, passed, ran] = [0, 0, 0]
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const some = [...trials(seed, PER_BATCH)]
        const parsed = await parseAll(
          database,
          some.map(({ part }) => selectOf(part))
        )
        tried += some.length
        for (const trial of some) {
          if (isRefused(trial, parsed.get(selectOf(trial.part)) as ParsedSql)) continue
          passed += 1
          const { shown, isError } = await shownBy(trial.whole)
          if (!isError) ran += 1
          assert.doesNotMatch(shown, FOUND, trial.whole)
        }
      }),
      { numRuns: BATCHES, endOnFailure: true, interruptAfterTimeLimit: LIMIT_MS }
    )
    assert.ok(passed > tried / 3, `${passed} of ${tried} passed`)
    assert.ok(ran > tried / 6, `${ran} of ${tried} ran`)
    console.log(`${tried} statements, ${passed} passed, ${ran} ran`)
  })
})
