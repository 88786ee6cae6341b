import type { Db } from '../../engines/metadata/index.ts'
import type { AlertRow } from './migrations.ts'

export type AlertChange = 'fired' | 'resolved' | 'acknowledged' | 'reopened'

/** Who has to know of changes of alerts. It is told in the transaction that makes the change, once for each. */
export interface Notices {
  changed(tx: Db, alert: AlertRow, change: AlertChange): Promise<void>
}

/** Nobody has to know yet: alerts are looked at in their history. */
export const noNotices: Notices = { changed: async () => {} }
