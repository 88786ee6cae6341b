import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { QualityWorld } from '../../../../test/support/quality-world.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers
type Result = any

const RULES = [
  { type: 'range', config: { column: 'amount', min: 0 } },
  { type: 'unique', config: { columns: ['id'] } },
  { type: 'allowedValues', config: { column: 'city', values: ['x'] } },
  { type: 'notNull', config: { column: 'city', where: 'amount > 3' } }
]
const LINES = Array.from({ length: 25_000 }, (_, n) => `${n},${n === 24_000 ? 'n/a' : n},x`)

/** What the rules say of a file, in their order. */
async function answersAbout(t: TestContext, file: Buffer): Promise<Result[]> {
  const world = await QualityWorld.start()
  t.after(() => world.close())
  const dataset = 'object://lake/late.csv'
  for (const [n, rule] of RULES.entries()) await world.make({ name: `late ${n}`, dataset, ...rule })
  await world.put('late.csv', file)
  const { results } = await world.evaluate({ dataset })
  return RULES.map((_, n) => results.find((result: Result) => result.ruleName === `late ${n}`))
}

test('one text that comes late among numbers is counted, and only a condition that computes with it is no answer', async (t) => {
  const answers = await answersAbout(t, Buffer.from(`id,amount,city\n${LINES.join('\n')}\n`))
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['failed', 'passed', 'passed', 'error']
  )
  assert.deepEqual([answers[0].rowsFailed, answers[0].rowsChecked], [1, LINES.length])
})

test('a line of another encoding is read as such, also where conditions compute', async (t) => {
  const file = Buffer.from(`id,amount,city\n${LINES.join('\n')}\n30000,1,M\xfcnchen\n`, 'latin1')
  const answers = await answersAbout(t, file)
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['failed', 'passed', 'failed', 'error']
  )
  assert.deepEqual([answers[0].rowsFailed, answers[2].rowsFailed, answers[2].rowsChecked], [1, 1, LINES.length + 1])
})
