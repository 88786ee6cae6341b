import { isDeepStrictEqual } from 'node:util'
import { isMasked, MASK_TEXT, type Mask } from '../../../data/mask.ts'
import { unmeasured } from '../evaluation/secret-age.ts'
import type { RuleRow } from '../migrations.ts'
import { readDefinition } from './definition.ts'
import type { Rule, RuleConfig } from './schema.ts'

export function toRule(row: RuleRow): Rule {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    dataset: row.dataset,
    type: row.type,
    ...readDefinition(row),
    severity: row.severity,
    dimension: row.dimension,
    enabled: row.enabled === 1,
    status: row.status,
    statusSince: row.status_since,
    evaluatedAt: row.evaluated_at,
    downstream: row.downstream === '' ? null : row.downstream,
    anomaly: row.anomaly === null ? null : JSON.parse(row.anomaly),
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at
  }
}

/**
 * The same without what it may quote of data, for those above whose clearance some of them are: its values, bounds and form where
 * its column is, conditions and statements, which may be about any column, and how old its newest value is.
 */
export function withoutQuotes(rule: Rule, mask: Mask | undefined): Rule {
  if (mask === undefined) return rule
  const { values, pattern, min, max, where, query, ...config } = rule.config
  const hides = config.column !== undefined && isMasked(mask, config.column)
  const shown = <T>(value: T, isHidden: boolean, hidden: T) => (value === undefined || !isHidden ? value : hidden)
  const quoting = {
    values: shown(values, hides, [MASK_TEXT]),
    pattern: shown(pattern, hides, MASK_TEXT),
    min: shown(min, hides, MASK_TEXT),
    max: shown(max, hides, MASK_TEXT),
    where: shown(where, true, MASK_TEXT),
    query: shown(query, true, MASK_TEXT)
  }
  const told = Object.fromEntries(Object.entries(quoting).filter(([, value]) => value !== undefined))
  const isAge = rule.type === 'freshness' && hides
  const anomaly = rule.anomaly && isAge ? unmeasured(rule.anomaly) : rule.anomaly
  return { ...rule, config: { ...config, ...told }, anomaly }
}

/** Whether those for whom the data are masked get to see all of a rule. */
export const isShownWhole = (rule: Rule, mask: Mask | undefined): boolean =>
  isDeepStrictEqual(withoutQuotes(rule, mask).config, rule.config)

/** Whether a rule says anything that may be quoted from data. */
export const quotesData = ({ values, pattern, min, max, where, query }: RuleConfig): boolean =>
  [values, pattern, min, max, where, query].some((member) => member !== undefined)

/** How a rule stands. */
type Standing = 'status' | 'statusSince' | 'evaluatedAt' | 'downstream' | 'anomaly'

/**
 * What a change of a rule is about: how it stands changes without anybody changing it. Values that are listed are those of the
 * data, and the audit trail, which keeps what data get a level later, is told only how many there are.
 */
export function factsOf(row: RuleRow): Omit<Rule, Standing> {
  const { status: _, statusSince: __, evaluatedAt: ___, downstream: ____, anomaly: _____, ...facts } = toRule(row)
  const { values } = facts.config
  return values === undefined ? facts : { ...facts, config: { ...facts.config, values: [`${values.length} values`] } }
}
