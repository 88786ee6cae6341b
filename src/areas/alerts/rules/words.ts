export const SEVERITIES = ['info', 'warning', 'error', 'critical'] as const
export type Severity = (typeof SEVERITIES)[number]

export const ALERT_STATES = ['firing', 'acknowledged', 'resolved'] as const
export type AlertState = (typeof ALERT_STATES)[number]

export const OPERATORS = ['>', '>=', '<', '<=', '==', '!=', 'outside', 'inside'] as const
export type Operator = (typeof OPERATORS)[number]

/** The functions of series that conditions may use: what they say has to be told by the window alone. */
export const WINDOW_FUNCTIONS = ['last', 'avg', 'min', 'max', 'sum', 'count', 'stddev', 'delta', 'rate'] as const
export type WindowFunction = (typeof WINDOW_FUNCTIONS)[number]

/** A number as it is kept, for an answer: JSON has no infinities. */
export function shownNumber(text: string | null): number | null {
  return text === null || !Number.isFinite(Number(text)) ? null : Number(text)
}
