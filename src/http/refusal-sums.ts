import type { Clock } from '../engines/clock.ts'
import type { AuditEntry } from './audit-trail.ts'

const SPAN_MS = 3600_000
const RETRY_MS = 60_000
/** Rows for one address, kind of refusal and bearer within an hour. */
const ROWS_EACH = 50
/** Rows for all addresses together within an hour. */
const ROWS_OF_ALL = 1000
/** The key of the sum for everybody who comes when no rows are left. */
const OTHERS = 'others'

interface Needs {
  readonly clock: Clock
  write(entry: AuditEntry): Promise<void>
  /** Called with the error where a row could not be written and no request waited for it. */
  report(error: unknown): void
}

interface Sum {
  readonly since: string
  cancel: () => void
  latest: AuditEntry
  count: number
  /** How many of the refusals are in the trail, in rows of their own or in a sum. */
  told: number
}

/**
 * Refusals of callers that were not let in. The first ones get a row each; then one row stands for many, written
 * whenever their number has grown tenfold and at the end of the hour. Refusals that were only counted are lost when
 * the process is killed.
 */
export class RefusalSums {
  readonly #needs: Needs
  readonly #sums = new Map<string, Sum>()
  #rows = 0
  #rowsUntilMs = 0

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async note(entry: AuditEntry, address: string): Promise<void> {
    const kind = [address, entry.code, entry.apiKey?.id ?? entry.user?.id].join(' ')
    const known = this.#sums.get(kind)
    const hasRow = (known === undefined || known.count < ROWS_EACH) && this.#takeRow()
    const sum = known ?? this.#sumOf(hasRow ? kind : OTHERS)
    // This sum is of many callers: none of their addresses and tokens should stand for all.
    sum.latest = known === undefined && !hasRow ? { ...entry, ip: '', user: null, apiKey: null } : entry
    sum.count++
    if (hasRow) {
      sum.told++
      await this.#needs.write(entry)
    } else if (sum.count >= 10 * Math.max(sum.told, 1)) await this.#tell(sum)
  }

  async close(): Promise<void> {
    for (const key of [...this.#sums.keys()]) {
      await this.#end(key)
      this.#sums.get(key)?.cancel()
    }
  }

  #sumOf(key: string): Sum {
    const known = this.#sums.get(key)
    if (known !== undefined) return known
    const { clock } = this.#needs
    const cancel = clock.after(SPAN_MS, () => void this.#end(key))
    const sum: Sum = { since: clock.iso(), cancel, latest: undefined as never, count: 0, told: 0 }
    this.#sums.set(key, sum)
    return sum
  }

  #takeRow(): boolean {
    const nowMs = this.#needs.clock.elapsed()
    if (nowMs >= this.#rowsUntilMs) {
      this.#rows = 0
      this.#rowsUntilMs = nowMs + SPAN_MS
    }
    return this.#rows++ < ROWS_OF_ALL
  }

  async #end(key: string): Promise<void> {
    const sum = this.#sums.get(key)
    if (sum === undefined) return
    sum.cancel()
    let againMs = SPAN_MS
    try {
      if (sum.count > sum.told) await this.#tell(sum)
    } catch (error) {
      this.#needs.report(error)
      againMs = RETRY_MS
    }
    // Further refusals may have come while the row was written.
    if (sum.count === sum.told) this.#sums.delete(key)
    else sum.cancel = this.#needs.clock.after(againMs, () => void this.#end(key))
  }

  /** The row's `changes` hold the count so far, and the time since when it counts. */
  async #tell(sum: Sum): Promise<void> {
    const { latest, count, told, since } = sum
    const changes = { refusals: { from: told, to: count }, since: { to: since } }
    sum.told = count
    try {
      await this.#needs.write({ ...latest, userAgent: null, changes })
    } catch (error) {
      sum.told = told
      throw error
    }
  }
}
