import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { SHUT_OFF } from '../../engines/sql-options.ts'
import { ALLOWED_FUNCTIONS, ALLOWED_TABLE_FUNCTIONS } from './allowed-functions.ts'
import { REFUSED_FUNCTIONS, REFUSED_TABLE_FUNCTIONS } from './refused-functions.ts'
import { checkStatement, type ParsedSql } from './statement-check.ts'

/** Functions that only the parser makes, from syntax; the catalogue does not list them. */
const SYNTAX = ['unnest']

describe('the lists of functions', () => {
  let instance: DuckDBInstance
  let database: DuckDBConnection

  before(async () => {
    instance = await DuckDBInstance.create(':memory:', SHUT_OFF)
    database = await instance.connect()
  })
  after(() => instance.closeSync())

  const rows = async (sql: string, values: string[] = []) => (await database.runAndReadAll(sql, values)).getRowsJS()
  const names = async (...types: string[]) => {
    const list = types.map((type) => `'${type}'`).join()
    const found = await rows(
      `SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE function_type IN (${list}) ORDER BY 1`
    )
    return found.map(([name]) => String(name))
  }
  const check = async (sql: string) => {
    const [[tree] = []] = await rows('SELECT json_serialize_sql($1::VARCHAR)', [sql])
    checkStatement(JSON.parse(String(tree)) as ParsedSql, sql, { names: [] })
  }

  it('know of all kinds of functions there are', async () => {
    const kinds = (await rows('SELECT DISTINCT function_type FROM duckdb_functions() ORDER BY 1')).flat()
    // A pragma can only be called with PRAGMA and CALL, which are refused anyway.
    assert.deepEqual(kinds, ['aggregate', 'macro', 'pragma', 'scalar', 'table', 'table_macro'])
  })

  for (const [where, kinds, allowed, refused] of [
    ['in expressions', ['scalar', 'aggregate', 'macro'], ALLOWED_FUNCTIONS, REFUSED_FUNCTIONS],
    ['after FROM', ['table', 'table_macro'], ALLOWED_TABLE_FUNCTIONS, REFUSED_TABLE_FUNCTIONS]
  ] as const) {
    it(`have each function ${where} once; look at what a new DuckDB brings and put it into one of them`, async () => {
      const there = await names(...kinds)
      assert.deepEqual(
        there.filter((name) => !allowed.has(name) && !refused.has(name)),
        []
      )
      assert.deepEqual(
        [...allowed, ...refused.keys()].filter((name) => !there.includes(name) && !SYNTAX.includes(name)),
        []
      )
      assert.deepEqual(
        [...allowed].filter((name) => refused.has(name)),
        []
      )
    })
  }

  it('allow all aggregates, because list_aggregate takes the name of any as a text', async () => {
    assert.deepEqual(
      (await names('aggregate')).filter((name) => !ALLOWED_FUNCTIONS.has(name)),
      []
    )
  })

  it('allow no macro whose own SQL would be refused', async () => {
    const macros = await rows(
      "SELECT function_name, macro_definition FROM duckdb_functions() WHERE function_type = 'macro'"
    )
    let looked = 0
    for (const [name, definition] of macros) {
      if (!ALLOWED_FUNCTIONS.has(String(name))) continue
      await check(`SELECT ${definition}`)
      looked += 1
    }
    assert.ok(looked > 50)
  })

  it('keep TRY from macros that TRY may not be around when they are written out', async () => {
    const macros = await rows(
      "SELECT function_name, macro_definition FROM duckdb_functions() WHERE function_type = 'macro'"
    )
    let refused = 0
    for (const [name, definition] of macros) {
      if (!ALLOWED_FUNCTIONS.has(String(name))) continue
      const isRefused = await check(`SELECT TRY(${definition})`).then(
        () => false,
        (error) => /around (?:CASE|coalesce|\w+:)/.test(error.message)
      )
      if (!isRefused) continue
      await assert.rejects(check(`SELECT TRY("${name}"(1, 2))`), { code: 'sql_refused' }, String(name))
      refused += 1
    }
    assert.ok(refused >= 6)
  })

  it('know of no type that looks anything up, as regclass of PostgreSQL does', async () => {
    const types = (await rows('SELECT DISTINCT lower(type_name) FROM duckdb_types()')).flat().map(String)
    assert.ok(types.length > 50)
    assert.deepEqual(
      types.filter((type) => type.startsWith('reg')),
      []
    )
  })

  it("keep the names of all of DuckDB's own views, under any of which a part of a query could hide one", async () => {
    const views = await rows(
      "SELECT view_name FROM duckdb_views() WHERE internal AND schema_name <> 'information_schema'"
    )
    assert.ok(views.length > 20)
    for (const [view] of views) {
      await assert.rejects(check(`FROM ${view}`), { code: 'sql_error' })
      await assert.rejects(check(`WITH ${view} AS (SELECT 1) FROM ${view}`), { code: 'sql_refused' })
    }
  })
})
