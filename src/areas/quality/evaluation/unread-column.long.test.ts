import assert from 'node:assert/strict'
import { test } from 'node:test'
import { QualityWorld } from '../../../../test/support/quality-world.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers
type Result = any

test('rules about other columns are answered, where one column of a file can not be read', async (t) => {
  const world = await QualityWorld.start()
  t.after(() => world.close())
  const dataset = 'object://lake/late.csv'
  const rules = [
    { type: 'range', config: { column: 'amount', min: 0 } },
    { type: 'unique', config: { columns: ['id'] } },
    { type: 'allowedValues', config: { column: 'city', values: ['x'] } },
    { type: 'notNull', config: { column: 'city', where: 'amount > 3' } }
  ]
  for (const [n, rule] of rules.entries()) await world.make({ name: `late ${n}`, dataset, ...rule })
  const lines = Array.from({ length: 25_000 }, (_, n) => `${n},${n === 24_000 ? 'n/a' : n},x`)
  await world.put('late.csv', `id,amount,city\n${lines.join('\n')}\n`)
  const { results } = await world.evaluate({ dataset })
  const found = Object.fromEntries(results.map((result: Result) => [result.ruleName, result]))
  assert.deepEqual(
    rules.map((_, n) => found[`late ${n}`].status),
    ['error', 'passed', 'passed', 'error']
  )
  assert.match(found['late 0'].reason.message, /^Line 24002 of late\.csv: the value of the column amount is not BIGINT/)
})
