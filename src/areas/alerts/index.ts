export type { FiredAlert } from './history/fired.ts'
export { Rule as AlertRule, type RuleCreate as AlertRuleCreate, RuleFields } from './rules/schema.ts'
export type { Rules as AlertRules } from './rules/service.ts'
