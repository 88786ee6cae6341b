import type { Sent } from '../../../engines/channels/index.ts'

/** What this process has sent. */
export class SendTotals {
  readonly counts: Record<Sent['outcome'], number> = { sent: 0, refused: 0, failed: 0 }

  add(outcome: Sent['outcome']): void {
    this.counts[outcome]++
  }
}
