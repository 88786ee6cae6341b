import type { RuleRow } from '../migrations.ts'
import type { Rule, RuleConfig, RuleUpdate } from './schema.ts'

/** What a rule says, as it is kept. */
export type Definition = Pick<Rule, 'config' | 'warnThreshold' | 'failThreshold' | 'on' | 'anomalies'>

const UNSAID = { config: {}, warnThreshold: null, failThreshold: null, on: [], anomalies: true } satisfies Definition

/** The definition with what a request says of it, on top of what was said before. */
export function definitionOf(body: RuleUpdate & { config?: RuleConfig }, before: Definition = UNSAID): Definition {
  return {
    config: body.config ?? before.config,
    warnThreshold: body.warnThreshold === undefined ? before.warnThreshold : body.warnThreshold,
    failThreshold: body.failThreshold === undefined ? before.failThreshold : body.failThreshold,
    on: body.on === undefined ? before.on : [...body.on].sort(),
    anomalies: body.anomalies ?? before.anomalies
  }
}

export const readDefinition = ({ definition }: Pick<RuleRow, 'definition'>): Definition => ({
  ...UNSAID,
  ...JSON.parse(definition)
})
