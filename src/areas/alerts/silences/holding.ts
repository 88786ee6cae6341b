import type { Db } from '../../../engines/metadata/index.ts'
import type { AlertRow } from '../migrations.ts'

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
export async function readHolding(_db: Db, _nowMs: number): Promise<Holding> {
  return { heldBy: () => undefined }
}
