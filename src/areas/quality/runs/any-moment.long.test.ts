import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { QualityWorld } from '../../../../test/support/quality-world.ts'
import { tries } from '../../../../test/support/thorough.ts'

const DATASET = 'object://lake/orders.csv'
/** An evaluation takes about as many turns of the event loop as this, so that some are cancelled too late. */
const MOST_TURNS = 3000

interface Result {
  readonly ruleId: string
  readonly status: string
  readonly reason: { readonly code: string } | null
  readonly rowsFailed: number
  readonly measured: number | null
}

describe('an evaluation that is cancelled at any moment', () => {
  let world: QualityWorld
  const facts = (results: readonly Result[]) =>
    results.map(({ ruleId, status, rowsFailed, measured, reason }) => ({
      ruleId,
      status,
      rowsFailed,
      measured,
      reason
    }))
  const isCancelled = ({ status, reason }: Result) => status === 'notEvaluated' && reason?.code === 'cancelled'

  before(async () => {
    world = await QualityWorld.start()
    await world.put(
      'orders.csv',
      `id,customer\n${Array.from({ length: 1000 }, (_, at) => `${at % 990},c${at}`).join('\n')}\n`
    )
    const rules = [
      { type: 'unique', config: { columns: ['id'] } },
      { type: 'notNull', config: { column: 'customer' } },
      { type: 'rowCount', config: { min: 2000 } },
      { type: 'sql', config: { query: 'SELECT * FROM dataset WHERE id > 900' } }
    ]
    for (const rule of rules) await world.make({ dataset: DATASET, ...rule })
    await world.make({ dataset: DATASET, type: 'distribution', config: { column: 'id' } })
  })
  after(() => world.close())

  it('is whole or nothing, and the next one says what it would have said', async () => {
    let cancelled = 0
    const again = async () => facts((await world.evaluate({ dataset: DATASET })).results)
    const first = await again()
    // The first makes the baseline; those after it compare with it.
    assert.equal(first.at(-1)?.reason?.code, 'baseline_made')
    const whole = await again()
    await fc.assert(
      fc.asyncProperty(fc.nat(MOST_TURNS), async (turns) => {
        const evaluating = world.evaluate({ dataset: DATASET })
        for (let at = 0; at < turns; at++) await turn()
        for (const { id } of (await world.get('runs')).runs) {
          await world.test.call('POST', `/api/quality/runs/${id}/cancel`, { as: 'admin' })
        }
        const { results } = await evaluating
        if (results.some(isCancelled)) {
          cancelled++
          assert.ok(results.every(isCancelled))
        } else {
          assert.deepEqual(facts(results), whole)
        }
        assert.deepEqual(await again(), whole)
      }),
      { numRuns: tries(12, 60) }
    )
    assert.ok(cancelled > 0, 'some were cancelled in time')
  })
})
