import type { Clock } from '../../../engines/clock.ts'
import { Known } from '../../../engines/known.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { type AuditTrail, fieldChanges } from '../../../http/audit-trail.ts'
import { requestFacts } from '../../../http/request.ts'
import type { Context } from '../../../http/route.ts'
import type { RoleClearance } from './label-cache.ts'
import type { Label } from './labels.ts'

/** Who reads, and by which request. */
export type Asker = Pick<Context<unknown, unknown, unknown>, 'actor' | 'ip' | 'headers' | 'id'>

/** Somebody who reads the same masked data again and again has one row in the audit trail for so long. */
const ROW_EVERY_MS = 3_600_000
const MAX_KEPT = 10_000

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly audit: AuditTrail
}

interface MaskedRead {
  /** What was asked for. */
  readonly data: string
  readonly labels: readonly Label[]
  readonly clearance: RoleClearance
}

/** Tells the audit trail who has read data that were masked for them. */
export class MaskedReads {
  readonly #needs: Needs
  readonly #told: Known<true>

  constructor(needs: Needs) {
    this.#needs = needs
    this.#told = new Known(needs.clock, MAX_KEPT)
  }

  /** Waits for the row: a read that left no trace would be a way to probe unseen. */
  async note(asker: Asker, { data, labels, clearance }: MaskedRead): Promise<void> {
    const { actor } = asker
    const level = labels.toSorted((a, b) => b.rank - a.rank)[0]?.level
    const key = JSON.stringify([actor.id, actor.apiKeyId, data, level])
    if (this.#told.get(key, ROW_EVERY_MS) === true) return
    const columns = [...new Set(labels.flatMap((label) => label.columns))]
    const isWhole = labels.some((label) => label.columns.length === 0)
    await this.#told.ask(key, async () => {
      const { metadata, audit } = this.#needs
      await metadata.transaction((tx) =>
        audit.append(tx, {
          ...requestFacts(asker),
          action: 'classification.mask',
          resourceType: 'classification',
          resourceId: data.slice(0, 200),
          outcome: 'success',
          status: 200,
          code: null,
          changes: fieldChanges(
            {},
            { data, level, clearance: clearance.level, columns: isWhole ? 'all' : columns.slice(0, 100) }
          )
        })
      )
      return true
    })
  }
}
