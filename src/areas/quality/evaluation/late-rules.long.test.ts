// Once: SQL that DuckDB runs.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openTestPlane, type TestPlane } from '../../../data/testing/plane.ts'
import { systemClock } from '../../../engines/clock.ts'
import type { RuleConfig } from '../rules/schema.ts'
import type { RuleType } from '../words.ts'
import { KnownColumns } from './known-columns.ts'
import { Pass } from './pass.ts'

const ROWS = 50_000
/** As for a file of hundreds of megabytes and the two minutes that it has. */
const EVALUATION_MS = 20_000
const ENDLESS = 'SELECT dataset.* FROM dataset, range(1000000000) x, range(1000000000) y WHERE x.range + y.range = -1'

const isDirty = (at: number) => at % 100 === 7
/** One in a hundred rows has no customer, an amount that is no number, an odd note and the key of the row before. */
const rowAt = (at: number) =>
  isDirty(at) ? `${at - 1},,n/a,"odd ""note"", ${at}"` : `${at},c${at % 50},${at % 1000}.5,note ${at}`
const DIRTY = ROWS / 100

describe('rules of which one is never done', () => {
  let test: TestPlane
  const known = new KnownColumns()
  before(async () => {
    test = await openTestPlane({ threads: 1 })
    const rows = Array.from({ length: ROWS }, (_, at) => rowAt(at))
    await test.put('orders.csv', `id,customer,amount,note\n${rows.join('\n')}\n`)
    await test.put('customers.csv', `id\n${Array.from({ length: 49 }, (_, at) => `c${at}`).join('\n')}\n`)
  })
  after(() => test.close())

  const rules: [string, RuleType, RuleConfig, failed: number | 'timeout'][] = [
    ['endless', 'sql', { query: ENDLESS }, 'timeout'],
    ['rows', 'rowCount', { min: 1 }, 0],
    ['customers', 'notNull', { column: 'customer' }, DIRTY],
    ['amounts', 'range', { column: 'amount', min: 0, max: 1000 }, DIRTY],
    ['notes', 'regex', { column: 'note', pattern: '^note' }, DIRTY],
    ['some', 'notNull', { column: 'customer', where: "note LIKE 'odd%'" }, DIRTY],
    ['known', 'allowedValues', { column: 'customer', values: Array.from({ length: 50 }, (_, at) => `c${at}`) }, 0],
    ['keys', 'unique', { columns: ['id'] }, 2 * DIRTY],
    ['texts', 'unique', { columns: ['note'] }, 0],
    ['others', 'referential', { column: 'customer', to: { dataset: 'object://b/customers.csv', column: 'id' } }, 1000]
  ]

  async function evaluate() {
    const { plane } = test
    const needs = {
      clock: systemClock,
      evaluationMs: EVALUATION_MS,
      known,
      guard: { maskForAll: async () => undefined },
      schemaOf: async () => ({}),
      plane
    }
    const asked = rules.map(([id, type, config]) => ({ id, type, config, ...RULE }))
    return new Pass(needs, 'object://b/orders.csv', new AbortController().signal).run(asked)
  }
  const RULE = { warnThreshold: null, failThreshold: null, on: [] }

  it('answers all others, the first time and with what is known from then on', async () => {
    for (let time = 0; time < 2; time++) {
      const outcomes = await evaluate()
      assert.deepEqual(
        rules.map(([id]) => [id, outcomes.get(id)?.reason?.code ?? outcomes.get(id)?.rowsFailed]),
        rules.map(([id, , , failed]) => [id, failed])
      )
      for (const [id, , , failed] of rules) {
        const { reason, rowsChecked } = outcomes.get(id) ?? {}
        if (failed === 'timeout')
          assert.match(
            reason?.message ?? '',
            /took longer than [\d.]+ s, what it could have of the 20 s .*Keep the data as Parquet/
          )
        else assert.ok((rowsChecked ?? 0) > 0, id)
      }
    }
  })
})
