import type { AreaNeeds } from '../../area.ts'
import { DataError } from '../../data/errors.ts'
import { parseReference } from '../../data/reference.ts'
import type { Db } from '../../engines/metadata/index.ts'
import { Closed } from '../../http/schemas.ts'
import { type Static, Type } from '../../http/type.ts'
import type { ScheduleTarget, TargetEnd, TargetOrder, TargetRun } from '../../schedule-target.ts'
import { invalidField } from './errors.ts'
import { countsOf } from './evaluation/service.ts'
import type { ResultRow, RuleRow } from './migrations.ts'
import { datasetsOf, resourcesOf } from './rules/resources.ts'
import { Dataset } from './rules/schema.ts'
import { findRules, rulesOf } from './rules/store.ts'

const MAX_RULES = 500
const MAX_NAMED = 5

const QualityTargetConfig = Closed({
  dataset: Type.Optional(Dataset),
  ruleIds: Type.Optional(
    Type.Array(Type.String({ maxLength: 64 }), {
      minItems: 1,
      maxItems: MAX_RULES,
      uniqueItems: true,
      description: 'These rules, of whichever datasets'
    })
  )
})
type QualityTargetConfig = Static<typeof QualityTargetConfig>

type Needs = Pick<AreaNeeds, 'metadata' | 'service'>

const toConfig = ({ config }: Pick<TargetOrder, 'config'>) => config as QualityTargetConfig

/** Evaluates rules. One that fails is no failure of the schedule: alerts are about that. */
export function qualityTarget(needs: Needs): ScheduleTarget {
  return {
    about:
      'Evaluates all enabled rules of a dataset, or rules by their ids. A rule that fails does not fail the run; one that can’t be evaluated does.',
    permissions: ['quality:write', 'buckets:read', 'catalog:read', 'pipelines:read'],
    config: QualityTargetConfig,
    check: (order) => check(needs, toConfig(order)),
    uses: (order) => usesOf(toConfig(order)),
    reads: (order) => readBy(needs.metadata.db, toConfig(order)),
    run: (run) => evaluate(needs, run)
  }
}

async function check({ metadata }: Needs, { dataset, ruleIds }: QualityTargetConfig): Promise<void> {
  if ((dataset === undefined) === (ruleIds === undefined)) {
    throw invalidField('/target/config/dataset', 'must be there where ruleIds is not, and only there')
  }
  if (dataset !== undefined) {
    const reference = parseReference(dataset)
    if ('problem' in reference) throw invalidField('/target/config/dataset', reference.problem)
  }
  const found = new Set((await findRules(metadata.db, ruleIds ?? [])).map(({ id }) => id))
  const stranger = ruleIds?.findIndex((id) => !found.has(id)) ?? -1
  if (stranger >= 0) throw invalidField(`/target/config/ruleIds/${stranger}`, 'names no quality rule')
}

const usesOf = ({ dataset }: QualityTargetConfig) =>
  dataset === undefined ? [] : resourcesOf({ dataset, definition: '{}' })

const rulesFor = (db: Db, { dataset, ruleIds = [] }: QualityTargetConfig): Promise<RuleRow[]> =>
  dataset === undefined ? findRules(db, ruleIds) : rulesOf(db, dataset)

/** The datasets, and what their rules compare them with. */
const readBy = async (db: Db, config: QualityTargetConfig): Promise<readonly string[]> => [
  ...(config.dataset === undefined ? [] : [config.dataset]),
  ...(await rulesFor(db, config)).flatMap(datasetsOf)
]

async function evaluate({ metadata, service }: Needs, run: TargetRun): Promise<TargetEnd> {
  const rules = await rulesFor(metadata.db, toConfig(run))
  if (rules.length === 0) {
    const message = 'There is no such rule any more, or none that is enabled; give the schedule others, or delete it'
    return { outcome: 'failed', code: 'nothing_to_evaluate', message, isFinal: true }
  }
  const { evaluations } = await service('quality')
  const rows: ResultRow[] = []
  try {
    for (const own of Map.groupBy(rules, ({ dataset }) => dataset).values()) {
      const origin = { cause: 'schedule', startedBy: run.owner.id } as const
      const evaluated = await evaluations.evaluate(own, origin, run.signal)
      rows.push(...evaluated.rows)
      await run.change(async (tx) => {
        await evaluated.commit(tx)
        return { answer: null, changes: evaluated.changes }
      })
      const message = evaluated.cancelled
      if (message !== undefined) return { outcome: 'cancelled', code: 'run_cancelled', message, isFinal: true }
    }
  } catch (error) {
    run.signal.throwIfAborted()
    if (!(error instanceof DataError)) throw error
    return { outcome: 'failed', code: error.code, message: error.message }
  }
  return endOf(rows)
}

function endOf(rows: readonly ResultRow[]): TargetEnd {
  const counts = Object.entries(countsOf(rows)).map(([status, count]) => `${count} ${status}`)
  // Errors first: they are why a run fails.
  const named = (['error', 'failed'] as const)
    .flatMap((wanted) => rows.filter(({ status }) => status === wanted))
    .slice(0, MAX_NAMED)
  const names = named.map(({ rule_name, status }) => `${status}: ${rule_name}`)
  const message = [`${rows.length} rules, ${counts.join(', ')}`, ...names].join('; ')
  if (!rows.some(({ status }) => status === 'error')) return { outcome: 'succeeded', message }
  return { outcome: 'failed', code: 'rule_error', message }
}
