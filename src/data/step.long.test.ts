import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { QueryStep } from './step.ts'
import { ENDLESS, openTestPlane, type TestPlane } from './testing/plane.ts'

describe('the steps of a query', () => {
  let test: TestPlane
  before(async () => {
    test = await openTestPlane({ maxRunning: 1 })
    await test.put('sales.csv', 'region,amount\nnorth,1\nsouth,2\n')
  })
  after(() => test.close())

  it('are told in their order, also by each query of a session', async () => {
    const relations = { sales: 'object://b/sales.csv' }
    const doing: string[] = []
    const onStep = (step: QueryStep) => void doing.push(step.doing)
    await (await test.plane.query({ sql: 'FROM sales', relations, onStep })).rows()
    assert.deepEqual([...new Set(doing)], ['waiting', 'fetching', 'reading'])
    await using session = await test.plane.session({ relations, onStep })
    const told = doing.length
    await session.query({ sql: 'FROM sales' })
    assert.equal(doing[told], 'waiting')
    assert.equal(doing.at(-1), 'reading')
  })

  it('say that a query waits while others run', async () => {
    const [running, waiting] = [new AbortController(), new AbortController()]
    const begun = Promise.withResolvers<void>()
    const first = test.plane.query({
      sql: ENDLESS,
      relations: {},
      signal: running.signal,
      onStep: ({ doing }) => doing === 'reading' && begun.resolve()
    })
    await begun.promise
    const doing: string[] = []
    const onStep = (step: QueryStep) => void doing.push(step.doing)
    const second = test.plane.query({ sql: 'SELECT 1', relations: {}, signal: waiting.signal, onStep })
    waiting.abort()
    await assert.rejects(second, { code: 'cancelled' })
    assert.deepEqual(doing, ['waiting'])
    running.abort()
    await assert.rejects(first, { code: 'cancelled' })
  })

  it('say how much of a statement is done, growing from step to step', async () => {
    const enough = new AbortController()
    const percents: number[] = []
    const onStep = ({ percent }: QueryStep) => {
      if (percent !== null && percents.push(percent) > 2) enough.abort()
    }
    await test.put('large.csv', `region,amount\n${'north,1\n'.repeat(2_000_000)}`)
    const sql = "SELECT count(*) FROM sales WHERE md5(repeat(region || amount, 1000)) = ''"
    const relations = { sales: 'object://b/large.csv' }
    await assert.rejects(test.plane.query({ sql, relations, signal: enough.signal, onStep }), { code: 'cancelled' })
    assert.deepEqual(
      percents,
      percents.toSorted((a, b) => a - b)
    )
    assert.ok(percents.every((percent) => percent >= 0 && percent <= 100))
  })
})
