import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { DuckDBConnection } from '@duckdb/node-api'
import fc from 'fast-check'
import { lineageOf } from './index.ts'
import { statementsIn } from './testing/statements.ts'
import { createTables, KNOWN, openDatabase, treeOf } from './testing/tables.ts'

type Json = Record<string, unknown>

let database: DuckDBConnection

before(async () => {
  database = await openDatabase()
  await createTables(database)
})

after(() => database.closeSync())

const lineage = async (sql: string) => lineageOf(await treeOf(database, sql), KNOWN)
const treeWith = (node: unknown) => ({ error: false, statements: [{ node }] })
const select = (more: Json): Json => ({ type: 'SELECT_NODE', select_list: [], from_table: { type: 'EMPTY' }, ...more })
const column = { class: 'COLUMN_REF', column_names: ['a'] }

/** A part of itself, very often. */
function nested(times: number, innermost: Json, around: (inner: Json) => Json): Json {
  let tree = innermost
  for (let i = 0; i < times; i++) tree = around(tree)
  return tree
}

describe('trees that are deep', () => {
  const from_table = { type: 'BASE_TABLE', table_name: 't' }

  test('a deep expression is followed to its end', () => {
    const deep = nested(200_000, column, (child) => ({ class: 'CAST', child }))
    const { outputs, notUnderstood } = lineageOf(treeWith(select({ select_list: [deep], from_table })), KNOWN)
    assert.deepEqual(outputs[0]?.from, [{ table: 't', column: 'a', kind: 'computed' }])
    assert.deepEqual(notUnderstood, [])
  })

  const cases: Record<string, Json> = {
    'queries in FROM': nested(50_000, select({ select_list: [column] }), (node) =>
      select({ select_list: [column], from_table: { type: 'SUBQUERY', subquery: { node } } })
    ),
    'queries in expressions': nested(50_000, select({ select_list: [column] }), (node) =>
      select({ select_list: [{ class: 'SUBQUERY', subquery: { node } }] })
    ),
    windows: select({ select_list: [nested(50_000, column, (child) => ({ class: 'WINDOW', partitions: [child] }))] }),
    lambdas: select({
      select_list: [
        nested(50_000, column, (expr) => ({
          class: 'FUNCTION',
          function_name: 'list_transform',
          children: [column, { class: 'LAMBDA', lhs: column, expr }]
        }))
      ]
    }),
    'joins to the right': select({
      select_list: [column],
      from_table: nested(50_000, from_table, (right) => ({ type: 'JOIN', join_type: 'INNER', left: from_table, right }))
    }),
    'parts of WITH': nested(50_000, select({ select_list: [column] }), (node) =>
      select({ cte_map: { map: [{ key: 'q', value: { query: { node } } }] } })
    )
  }
  for (const [name, node] of Object.entries(cases)) {
    test(`${name} are given up, and that is told`, () => {
      const { notUnderstood } = lineageOf(treeWith(node), KNOWN)
      assert.match(notUnderstood[0]?.what ?? '', /nested more than \d+ levels deep/)
    })
  }

  test('long chains of joins, set operations and conditions are not deep', async () => {
    const joins = `SELECT t0.a FROM t t0 ${Array.from({ length: 400 }, (_, i) => `JOIN t t${i + 1} USING (id)`).join(' ')}`
    assert.deepEqual((await lineage(joins)).notUnderstood, [])
    const union = Array.from({ length: 400 }, () => 'SELECT a FROM t').join(' UNION ALL ')
    assert.deepEqual((await lineage(union)).notUnderstood, [])
    const conditions = Array.from({ length: 2000 }, (_, i) => `a <> ${i}`).join(' AND ')
    assert.deepEqual((await lineage(`SELECT a FROM t WHERE ${conditions}`)).notUnderstood, [])
    const sum = Array.from({ length: 900 }, () => 'a').join(' + ')
    assert.deepEqual((await lineage(`SELECT ${sum} FROM t`)).notUnderstood, [])
  })
})

describe('statements that grow', () => {
  test('a part of WITH that is used twice by each after it is looked at once', async () => {
    const parts = Array.from({ length: 60 }, (_, i) => `q${i + 1} AS (SELECT x.a + y.a AS a FROM q${i} x, q${i} y)`)
    const { outputs, notUnderstood } = await lineage(
      `WITH q0 AS (SELECT a FROM t), ${parts.join(', ')} SELECT a FROM q60`
    )
    assert.deepEqual(outputs, [{ name: 'a', from: [{ table: 't', column: 'a', kind: 'computed' }] }])
    assert.deepEqual(notUnderstood, [])
  })

  test('what takes too many steps is given up, and that is told', () => {
    const columns = Array.from({ length: 2000 }, (_, i) => `c${i}`)
    const wide = Object.fromEntries(['t', 'u'].map((name) => [name, columns]))
    const whole = { class: 'COLUMN_REF', column_names: ['t'] }
    const tree = treeWith(
      select({ select_list: columns.map(() => whole), from_table: { type: 'BASE_TABLE', table_name: 't' } })
    )
    assert.match(lineageOf(tree, wide).notUnderstood[0]?.what ?? '', /too large/)
  })

  test('recursion in recursion ends', async () => {
    const names = Array.from({ length: 8 }, (_, i) => `c${i}`)
    const rotated = [...names.slice(1), '0'].join(', ')
    let inner = 'SELECT id, a, b, c, id, a, b, c FROM t'
    for (let i = 0; i < 6; i++) {
      inner = `WITH RECURSIVE r${i}(${names}) AS ((${inner}) UNION ALL SELECT ${rotated} FROM r${i}) SELECT * FROM r${i}`
    }
    assert.equal((await lineage(inner)).outputs.length, 8)
  })
})

describe('trees that DuckDB never made', () => {
  test('nothing is thrown, whatever they hold', async () => {
    const trees = await Promise.all(statementsIn('statements.txt').map(({ sql }) => treeOf(database, sql)))
    const places = fc.tuple(
      fc.nat(trees.length - 1),
      fc.array(fc.nat(), { maxLength: 20 }),
      fc.jsonValue({ maxDepth: 3 })
    )
    fc.assert(
      fc.property(places, ([which, path, value]) => {
        const tree = structuredClone(trees[which])
        let item = tree as Json
        for (const step of path) {
          const keys = Object.keys(item)
          const key = keys[step % keys.length]
          if (key === undefined) break
          const next = item[key]
          if (typeof next !== 'object' || next === null || Object.keys(next).length === 0) {
            item[key] = value
            break
          }
          item = next as Json
        }
        lineageOf(tree, KNOWN)
      }),
      { numRuns: 2000 }
    )
    fc.assert(fc.property(fc.jsonValue(), (tree) => lineageOf(tree, KNOWN) !== undefined))
  })

  test('names of objects are names like others', () => {
    const from_table = { type: 'BASE_TABLE', table_name: '__proto__' }
    const { reads, outputs } = lineageOf(treeWith(select({ select_list: [column], from_table })), KNOWN)
    assert.deepEqual(
      [reads, outputs[0]?.from],
      [['__proto__'], [{ table: '__proto__', column: 'a', kind: 'identity' }]]
    )
  })
})

test('a thousand statements take well under a second', async () => {
  const trees = await Promise.all(statementsIn('statements.txt').map(({ sql }) => treeOf(database, sql)))
  const started = process.cpuUsage()
  for (let i = 0; i < 1000; i++) lineageOf(trees[i % trees.length], KNOWN)
  const { user, system } = process.cpuUsage(started)
  assert.ok(user + system < 1_000_000, `${(user + system) / 1000} ms`)
})
