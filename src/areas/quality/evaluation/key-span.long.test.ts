// Once: SQL that DuckDB runs.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openTestPlane, type TestPlane } from '../../../data/testing/plane.ts'
import { systemClock } from '../../../engines/clock.ts'
import { KnownColumns } from './known-columns.ts'
import { Pass } from './pass.ts'

describe('rules about a key', () => {
  const ROWS = 120_000
  const RULE = { warnThreshold: null, failThreshold: null, on: [] }
  let test: TestPlane
  const known = new KnownColumns()
  const asked: string[] = []
  before(async () => {
    test = await openTestPlane()
  })
  after(() => test.close())

  async function evaluate() {
    asked.length = 0
    const { plane } = test
    const needs = {
      clock: systemClock,
      evaluationMs: 120_000,
      known,
      guard: { maskForAll: async () => undefined },
      schemaOf: async () => ({}),
      plane: {
        describe: plane.describe.bind(plane),
        query: plane.query.bind(plane),
        session: async (data: Parameters<typeof plane.session>[0]) => {
          const session = await plane.session(data)
          const { query } = session
          session.query = (one) => {
            asked.push(one.sql)
            return query.call(session, one)
          }
          return session
        }
      }
    }
    const rules = [{ id: 'u', type: 'unique' as const, config: { columns: ['id'] }, ...RULE }]
    const outcomes = await new Pass(needs, 'object://b/keys.csv', new AbortController().signal).run(rules)
    const { status, rowsChecked, rowsFailed } = outcomes.get('u') ?? {}
    return [status, rowsChecked, rowsFailed]
  }
  const put = (ids: readonly number[]) => test.put('keys.csv', `id\n${ids.join('\n')}\n`)
  const ids = Array.from({ length: ROWS }, (_, at) => at)

  it('are answered by marks from the second time on, and by groups where the data are not as they were', async () => {
    await put(ids)
    assert.deepEqual(await evaluate(), ['passed', ROWS, 0])
    assert.deepEqual(await evaluate(), ['passed', ROWS, 0])
    assert.match(asked.join(), /bitstring_agg/)
    await put([...ids, 7])
    assert.deepEqual(await evaluate(), ['failed', ROWS + 1, 2])
    // That values come twice is known now, so that they are not marked in vain.
    assert.deepEqual(await evaluate(), ['failed', ROWS + 1, 2])
    assert.doesNotMatch(asked.join(), /bitstring_agg/)
    await put([...ids, ROWS * 50])
    assert.deepEqual(await evaluate(), ['passed', ROWS + 1, 0])
    assert.deepEqual(await evaluate(), ['passed', ROWS + 1, 0])
    assert.match(asked.join(), /bitstring_agg/)
  })
})
