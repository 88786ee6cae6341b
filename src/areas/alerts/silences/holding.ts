import type { Db } from '../../../engines/metadata/index.ts'
import { type LabelSet, labelOf, type Matchers, matcherOf } from '../matchers.ts'
import type { AlertRow } from '../migrations.ts'
import { matchedLabels } from '../notifications/labels.ts'
import { MatcherIndex } from './matcher-index.ts'
import type { InhibitionRow } from './migrations.ts'
import { openAlerts } from './open-alerts.ts'
import { activeSilences } from './store.ts'

/** Why nobody is told of an alert now. */
export interface HeldBy {
  readonly type: 'alert-silence' | 'alert-inhibition'
  readonly id: string
}

/** What keeps alerts from being told at one moment. */
export interface Holding {
  heldBy(alert: Pick<AlertRow, 'id' | 'labels' | 'severity' | 'rule_name'>): HeldBy | undefined
}

/** All silences and inhibitions of a moment; read once for all alerts that are looked at then. */
export async function readHolding(db: Db, nowMs: number): Promise<Holding> {
  const silences = await activeSilences(db, nowMs)
  const rows = await db.selectFrom('alert_inhibitions').selectAll().where('enabled', '=', 1).orderBy('id').execute()
  const inhibitions = rows.map(inhibitionOf)
  if (inhibitions.length > 0) {
    const bySource = new MatcherIndex(inhibitions, ({ source }) => source)
    for await (const labels of openAlerts(db)) {
      for (const inhibition of bySource.matching(labels)) addSource(inhibition, labels)
    }
  }
  const silencing = new MatcherIndex(silences, ({ matchers }) => JSON.parse(matchers))
  const inhibiting = new MatcherIndex(inhibitions, ({ target }) => target)
  return {
    heldBy(alert) {
      const labels = matchedLabels(alert)
      const silence = silencing.matching(labels)[0]
      if (silence !== undefined) return { type: 'alert-silence', id: silence.id }
      const inhibition = inhibiting.matching(labels).find((other) => hasSourceFor(other, labels))
      return inhibition === undefined ? undefined : { type: 'alert-inhibition', id: inhibition.id }
    }
  }
}

interface Inhibition {
  readonly id: string
  readonly source: Matchers
  readonly target: Matchers
  readonly equal: readonly string[]
  isSource(labels: LabelSet): boolean
  isTarget(labels: LabelSet): boolean
  /** What the open alerts that match the source have in the equal labels. */
  readonly sources: Set<string>
  /** The same of those that do not match the target too. */
  readonly plainSources: Set<string>
}

function inhibitionOf({ id, source, target, equal }: InhibitionRow): Inhibition {
  const matchers = { source: JSON.parse(source) as Matchers, target: JSON.parse(target) as Matchers }
  return {
    id,
    ...matchers,
    equal: JSON.parse(equal),
    isSource: matcherOf(matchers.source),
    isTarget: matcherOf(matchers.target),
    sources: new Set(),
    plainSources: new Set()
  }
}

const equalKey = ({ equal }: Inhibition, labels: LabelSet): string =>
  JSON.stringify(equal.map((name) => labelOf(labels, name)))

function addSource(inhibition: Inhibition, labels: LabelSet): void {
  const key = equalKey(inhibition, labels)
  inhibition.sources.add(key)
  if (!inhibition.isTarget(labels)) inhibition.plainSources.add(key)
}

/** Those that match both sides hold none back of their kind, and so not themselves: one of them has to be told. */
function hasSourceFor(inhibition: Inhibition, labels: LabelSet): boolean {
  const { sources, plainSources, isSource } = inhibition
  return (isSource(labels) ? plainSources : sources).has(equalKey(inhibition, labels))
}
