import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import type { SessionQuery } from '../../../data/data-session.ts'
import { DataError } from '../../../data/errors.ts'
import type { RuleConfig } from '../rules/schema.ts'
import type { RuleType } from '../words.ts'
import { KnownColumns } from './known-columns.ts'
import type { Queried } from './one-dataset.ts'
import { Pass } from './pass.ts'

const EVALUATION_MS = 120_000
const STATEMENT_MS = 30_000
const SCAN_MS = 3000
const COLUMNS = [
  { name: 'id', type: 'BIGINT' },
  { name: 'name', type: 'VARCHAR' }
]
const ROW = Array.from({ length: 1000 }, () => 1)

/** Data of which each scan takes three seconds, and SQL of users as long as a comment in it says. */
function slowPlane(clock: ManualClock): Queried {
  const query = async ({ sql, limits }: SessionQuery) => {
    const scans = sql.endsWith('LIMIT 0') ? 0 : (sql.match(/FROM dataset\b/g)?.length ?? 0)
    const saidMs = [...sql.matchAll(/takes (\d+)/g)].reduce((sum, [, ms]) => sum + Number(ms), 0)
    const timeoutMs = Math.min(STATEMENT_MS, limits?.timeoutMs ?? STATEMENT_MS)
    const tookMs = scans * SCAN_MS + saidMs
    clock.advance(Math.min(tookMs, timeoutMs))
    if (tookMs > timeoutMs)
      throw new DataError('timeout', `The query took longer than the ${timeoutMs} ms it may take.`)
    return { columns: COLUMNS, rows: async () => [ROW] }
  }
  const close = async () => {}
  return {
    session: async () => ({ query, close, [Symbol.asyncDispose]: close }),
    query: () => Promise.reject(new Error('not asked here')),
    describe: async () => COLUMNS
  }
}

const rule = (id: string, type: RuleType, config: RuleConfig) => ({
  id,
  type,
  config,
  warnThreshold: null,
  failThreshold: '100%',
  on: []
})
const free = (id: string, takesMs: number) => rule(id, 'sql', { query: `SELECT 1 FROM dataset -- takes ${takesMs}` })
const conditional = (id: string, takesMs: number) =>
  rule(id, 'notNull', { column: 'id', where: `TRUE /* takes ${takesMs} */` })
const PLAIN = [
  rule('count', 'rowCount', { min: 1 }),
  rule('id', 'notNull', { column: 'id' }),
  rule('range', 'range', { column: 'id', min: 1 }),
  rule('text', 'regex', { column: 'name', pattern: '^a' })
]

async function evaluate(dataset: string, rules: readonly ReturnType<typeof rule>[], known = new KnownColumns()) {
  const clock = new ManualClock()
  const needs = {
    clock,
    evaluationMs: EVALUATION_MS,
    known,
    guard: { maskForAll: async () => undefined },
    schemaOf: async () => ({}),
    plane: slowPlane(clock)
  }
  const outcomes = await new Pass(needs, dataset, new AbortController().signal).run(rules)
  const late = rules.filter(({ id }) => outcomes.get(id)?.reason?.code === 'timeout').map(({ id }) => id)
  return { outcomes, late, elapsedMs: clock.elapsed() }
}

const dataset = fc.constantFrom('object://b/a.csv', 'object://b/a.parquet', 'object://b/a')
const idOf = (at: number) => `own ${at}`

describe('what an evaluation has no time for', () => {
  it('is never what is cheap, whatever else is asked and in whichever order', async () => {
    const others = fc.array(fc.record({ isFree: fc.boolean(), takesMs: fc.integer({ min: 0, max: 300_000 }) }), {
      maxLength: 24
    })
    await fc.assert(
      fc.asyncProperty(dataset, others, fc.boolean(), fc.boolean(), async (from, given, isFirst, isKnown) => {
        const own = given.map(({ isFree, takesMs }, at) => (isFree ? free : conditional)(idOf(at), takesMs))
        const known = new KnownColumns()
        if (isKnown) known.set(from, COLUMNS)
        const { late, elapsedMs } = await evaluate(from, isFirst ? [...PLAIN, ...own] : [...own, ...PLAIN], known)
        assert.deepEqual(
          late.filter((id) => !id.startsWith('own')),
          []
        )
        // What is begun last may take as long as there is time; samples come after it.
        assert.ok(elapsedMs <= EVALUATION_MS + 2 * STATEMENT_MS, String(elapsedMs))
      })
    )
  })

  it('is nothing where each rule takes a few seconds and all of them half of the time', async () => {
    const times = fc.array(fc.integer({ min: 0, max: 4000 }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(dataset, times, async (from, given) => {
        const own = given.map((takesMs, at) => free(idOf(at), takesMs))
        assert.deepEqual((await evaluate(from, [...own, ...PLAIN])).late, [])
      })
    )
  })

  it('is one rule that is never done, and not what takes longer than its share at first', async () => {
    const own = [free('endless', 1e9), free('long', 12_000), ...[1, 2, 3, 4, 5].map((at) => free(idOf(at), 500))]
    assert.deepEqual((await evaluate('object://b/a.csv', [...own, ...PLAIN])).late, ['endless'])
  })

  it('says how long it had, and what can be done', async () => {
    const own = Array.from({ length: 20 }, (_, at) => free(idOf(at), 1e9))
    const { outcomes } = await evaluate('object://b/a.csv', [...own, ...PLAIN])
    const said = new Set(own.map(({ id }) => outcomes.get(id)?.reason?.message.replace(/longer than [\d.]+ s/, '…')))
    const advice =
      'Keep the data as Parquet, have its query read less, evaluate it by a schedule of its own or when less else runs, or raise QUALITY_EVALUATION_SECONDS.'
    assert.deepEqual(
      said,
      new Set([
        `The rule was asked by itself and took …, what it could have of the 120 s that an evaluation may take. ${advice}`,
        `The 120 s that an evaluation may take were over before it came to this rule. ${advice}`
      ])
    )
    const alone = await evaluate('object://b/a.csv', [free('endless', 1e9)])
    assert.equal(
      alone.outcomes.get('endless')?.reason?.message,
      'The rule was asked by itself and took longer than 30 s, the most that a statement may take. Keep the data as Parquet, have its query read less, or evaluate it when less else runs.'
    )
  })
})
