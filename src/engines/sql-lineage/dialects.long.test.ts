import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { init, Parser } from '@guanmingchiu/sqlparser-ts'
import fc from 'fast-check'
import { lineageOfDialect } from './dialects/lineage-of-dialect.ts'
import { DialectThread, type OtherDialect } from './index.ts'
import { statementsIn } from './testing/statements.ts'
import { KNOWN } from './testing/tables.ts'
import { told } from './testing/told.ts'

const thread = new DialectThread()
after(() => thread.close())

const lineage = (sql: string, dialect: OtherDialect = 'postgres') => thread.lineageOf({ dialect, sql, known: KNOWN })

for (const [dialect, least] of [['postgres', 62] as const, ['mysql', 9] as const]) {
  test(`every statement of ${dialect} has the lineage that stands in the list`, async () => {
    const statements = statementsIn(`${dialect}.txt`)
    assert.ok(statements.length >= least, `${statements.length} statements`)
    const wrong: string[] = []
    for (const { sql, expected } of statements) {
      const found = told(await lineage(sql, dialect))
      if (found !== expected) wrong.push(`${sql}\n  expected ${expected}\n  found    ${found}`)
    }
    assert.equal(wrong.join('\n'), '')
  })
}

describe('statements that break the parser', () => {
  const deep = [`SELECT ${'a + '.repeat(20_000)} 1 FROM t`, `SELECT ${'('.repeat(2000)}a`]
  for (const sql of deep) {
    test(`${sql.slice(0, 25)}… is told as not understood, and the next one is read`, async () => {
      const [broken, next] = await Promise.all([lineage(sql), lineage('SELECT a FROM t')])
      assert.equal(broken.notUnderstood.length, 1)
      assert.equal(told(next), 'a: t.a')
    })
  }

  test('one that is too long is not even tried', async () => {
    assert.match((await lineage(`SELECT '${'x'.repeat(200_000)}'`)).notUnderstood[0]?.what ?? '', /more than 200000/)
  })
})

test('trees that the parser never made throw nothing', async () => {
  await init()
  const trees = statementsIn('postgres.txt').flatMap(({ sql, expected }) =>
    expected.endsWith('!') ? [] : [Parser.parseToJson(sql, 'postgresql')]
  )
  const places = fc.tuple(
    fc.constantFrom(...trees),
    fc.array(fc.nat(), { maxLength: 20 }),
    fc.jsonValue({ maxDepth: 3 })
  )
  fc.assert(
    fc.property(places, ([text, path, value]) => {
      const tree = JSON.parse(text)
      let item = tree
      for (const step of path) {
        const keys = Object.keys(item)
        const key = keys[step % keys.length] as string
        if (typeof item[key] !== 'object' || item[key] === null || Object.keys(item[key]).length === 0) {
          item[key] = value
          break
        }
        item = item[key]
      }
      lineageOfDialect(tree, KNOWN, 'postgres')
    }),
    { numRuns: 500 }
  )
})

test('a thread that takes long to begin is waited for: of the statement that says nothing', async (t) => {
  const fresh = new DialectThread()
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const asked = fresh.lineageOf({ dialect: 'postgres', sql: 'SELECT a FROM s', known: KNOWN })
  await Promise.resolve() // until it is its turn
  t.mock.timers.tick(30_000)
  const expected = told(await lineage('SELECT a FROM s'))
  assert.equal(told(await asked), expected)
  t.mock.timers.reset()
  await fresh.close()
})
