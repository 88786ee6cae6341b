import type { AlertRow } from '../migrations.ts'

/** The labels of an alert by which it is grouped, silenced and inhibited: its own, and what it is and how bad. */
export function matchedLabels({
  labels,
  severity,
  rule_name
}: Pick<AlertRow, 'labels' | 'severity' | 'rule_name'>): Readonly<Record<string, string>> {
  return { ...(JSON.parse(labels) as Record<string, string>), rule: rule_name, severity }
}

/** What an alert has in the labels that a channel groups by, in one order. */
export function groupLabelsOf(
  alert: Pick<AlertRow, 'labels' | 'severity' | 'rule_name'>,
  groupBy: readonly string[]
): [name: string, value: string][] {
  const labels = matchedLabels(alert)
  return groupBy.toSorted().map((name) => [name, Object.hasOwn(labels, name) ? (labels[name] as string) : ''])
}
