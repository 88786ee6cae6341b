export const RULE_TYPES = [
  'notNull',
  'unique',
  'range',
  'allowedValues',
  'regex',
  'rowCount',
  'freshness',
  'schemaMatches',
  'referential',
  'distribution',
  'sql'
] as const
export type RuleType = (typeof RULE_TYPES)[number]

export const DIMENSIONS = ['completeness', 'uniqueness', 'validity', 'accuracy', 'consistency', 'timeliness'] as const
export type Dimension = (typeof DIMENSIONS)[number]

export const SEVERITIES = ['info', 'warning', 'error', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

/**
 * `error`: it could not be found out whether the rule holds. `notEvaluated`: there was nothing that it could be asked of.
 * Neither says anything about the data.
 */
export const STATUSES = ['passed', 'warned', 'failed', 'error', 'notEvaluated'] as const
export type Status = (typeof STATUSES)[number]

/** The last three say how far the rows are from a baseline. */
export const UNITS = ['rows', 'percent', 'seconds', 'columns', 'psi', 'ks', 'cramersV'] as const
export type Unit = (typeof UNITS)[number]

/** What may have a rule evaluated by itself. */
export const TRIGGERS = ['pipeline', 'object'] as const
export type Trigger = (typeof TRIGGERS)[number]

/** What reads data for long enough to be looked at meanwhile. */
export const RUN_KINDS = ['evaluation', 'profile', 'baseline'] as const
export type RunKind = (typeof RUN_KINDS)[number]

/** Why an evaluation took place. */
export const CAUSES = ['request', 'schedule', ...TRIGGERS] as const
export type Cause = (typeof CAUSES)[number]
