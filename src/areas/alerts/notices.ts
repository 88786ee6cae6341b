import type { Db } from '../../engines/metadata/index.ts'
import type { AlertRow } from './migrations.ts'

export type AlertChange = 'fired' | 'resolved' | 'acknowledged' | 'reopened'

/** Who has to know of changes of alerts. It is told in the transaction that makes the changes. */
export interface Notices {
  changed(tx: Db, alerts: readonly AlertRow[], change: AlertChange): Promise<void>
  /** Others are to be told of the alerts of a rule: those that are open are told to whoever is new. */
  rerouted(tx: Db, ruleId: string): Promise<void>
}

/** Nobody has to know. */
export const noNotices: Notices = { changed: async () => {}, rerouted: async () => {} }
