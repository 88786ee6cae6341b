import type { Happening } from '../../area.ts'
import type { Db } from '../../engines/metadata/index.ts'
import { QuotedData } from '../classification/index.ts'
import type { Anomaly } from './anomalies/follow.ts'
import type { Outcome } from './evaluation/pass.ts'
import { isSecret } from './evaluation/secrecy.ts'
import { UNMEASURED } from './evaluation/secret-age.ts'
import type { RuleRow } from './migrations.ts'
import { readDefinition } from './rules/definition.ts'

/** One more than alert rules take. */
const LIMIT = 1001

/**
 * Rules that are enabled and that data have failed and not passed since. What is downstream was written down when a rule
 * began to fail: labels that changed meanwhile would be those of another alert.
 */
export async function failingRules(db: Db): Promise<{ happenings: Happening[]; cursor: string }> {
  const rows = await db
    .selectFrom('quality_rules')
    .select(['id', 'name', 'dataset', 'severity', 'downstream'])
    .where('failing_since', 'is not', null)
    .where('enabled', '=', 1)
    .orderBy('id')
    .limit(LIMIT)
    .execute()
  const happenings = rows.map((row) => ({
    ...labelsOf(row),
    ...(row.downstream !== '' && { downstream: row.downstream })
  }))
  return { happenings, cursor: '' }
}

/** Rules that are enabled and whose last evaluation failed. */
export async function unansweredRules(db: Db): Promise<{ happenings: Happening[]; cursor: string }> {
  const rows = await db
    .selectFrom('quality_rules')
    .select(['id', 'name', 'dataset', 'severity'])
    .where('status', '=', 'error')
    .where('enabled', '=', 1)
    .orderBy('id')
    .limit(LIMIT)
    .execute()
  return { happenings: rows.map(labelsOf), cursor: '' }
}

/** Rules that are enabled and found nothing to be asked of: the data, or their column, are not there. */
export async function rulesWithoutData(db: Db): Promise<{ happenings: Happening[]; cursor: string }> {
  const rows = await db
    .selectFrom('quality_rules as rule')
    .innerJoin('quality_results as result', 'result.id', 'rule.result_id')
    .select(['rule.id', 'rule.name', 'rule.dataset', 'rule.severity', 'result.outcome'])
    .where('rule.status', '=', 'notEvaluated')
    .where('rule.enabled', '=', 1)
    .orderBy('rule.id')
    .limit(LIMIT)
    .execute()
  const happenings = rows.flatMap((row) => {
    const missing = (JSON.parse(row.outcome) as Outcome).reason?.code
    return missing === undefined || NOT_MISSING.has(missing) ? [] : [{ ...labelsOf(row), missing }]
  })
  return { happenings, cursor: '' }
}

/** The first evaluation of a rule about drift is as it should be, and one that was cancelled says nothing of the data. */
const NOT_MISSING: ReadonlySet<string> = new Set(['baseline_made', 'cancelled'])

const labelsOf = ({ id, name, dataset, severity }: Pick<RuleRow, 'id' | 'name' | 'dataset' | 'severity'>) => ({
  dataset,
  qualityRule: id,
  qualityRuleName: name,
  qualitySeverity: severity
})

/** Rules that are enabled and whose last measurement is odd; what it is was written down when it began to be. */
export async function anomalousRules(db: Db): Promise<{ happenings: Happening[]; cursor: string }> {
  const rows = await db
    .selectFrom('quality_rules')
    .select(['id', 'name', 'dataset', 'severity', 'anomaly', 'type', 'definition'])
    .where('anomalous_since', 'is not', null)
    .where('enabled', '=', 1)
    .orderBy('id')
    .limit(LIMIT)
    .execute()
  const isSecretAge = ageSecrecy(db)
  const happenings: Happening[] = []
  for (const row of rows) {
    const { message } = JSON.parse(row.anomaly ?? '{}') as Anomaly
    happenings.push({ ...labelsOf(row), anomaly: (await isSecretAge(row)) ? UNMEASURED : message })
  }
  return { happenings, cursor: '' }
}

/** Whether what a rule measures is a value of a column that not everybody may see: messages go to whoever gets them. */
function ageSecrecy(db: Db) {
  // It is asked within a moment, and then forgotten.
  const outputsOf = async (id: string) => (await import('../pipelines/index.ts')).outputReferences(db, id)
  const quoted = new QuotedData({ db, clock: { elapsed: () => 0 }, outputsOf })
  return async (row: Pick<RuleRow, 'type' | 'dataset' | 'definition'>): Promise<boolean> => {
    if (row.type !== 'freshness') return false
    return isSecret(await quoted.maskOf([row.dataset]), readDefinition(row).config.column ?? '')
  }
}
