import type { Db } from '../../../engines/metadata/index.ts'
import { type LabelSet, type Matchers, matcherOf } from '../matchers.ts'
import { matchedLabels } from '../notifications/labels.ts'

const PAGE = 2000

/** The labels of all alerts that are open, in pieces, so that many take no room. */
export async function* openAlerts(db: Db): AsyncGenerator<LabelSet> {
  for (const state of ['firing', 'acknowledged'] as const) {
    const open = db.selectFrom('alerts').select(['id', 'labels', 'severity', 'rule_name']).where('state', '=', state)
    let after = ''
    for (;;) {
      const rows = await open.where('id', '>', after).orderBy('id').limit(PAGE).execute()
      for (const row of rows) yield matchedLabels(row)
      after = rows.at(-1)?.id ?? ''
      if (rows.length < PAGE) break
    }
  }
}

/** How many open alerts have labels that match. */
export async function countOpen(db: Db, matchers: Matchers): Promise<number> {
  const matches = matcherOf(matchers)
  let count = 0
  for await (const labels of openAlerts(db)) if (matches(labels)) count++
  return count
}
