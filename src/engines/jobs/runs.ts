import type { Clock } from '../clock.ts'
import type { Metadata } from '../metadata/index.ts'
import { databaseWithin, wait, within } from '../timing.ts'
import type { Claimed } from './claim.ts'
import type { FailedAttempt, Worker } from './index.ts'
import { renew, settle } from './lease.ts'
import { LEASE_MS, RENEW_EVERY_MS } from './limits.ts'
import { Run } from './run.ts'
import type { Outcome } from './transitions.ts'

const SETTLE_TRIES = 5
const RENEW_TIMEOUT_MS = 4000
const SETTLE_TIMEOUT_MS = 30_000

export interface RunsParts {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly owner: string
  readonly onError: (error: unknown) => void
  readonly onFailure: (failure: FailedAttempt) => void
}

/** The runs of this process. Nothing in here rejects: errors are reported. */
export class Runs {
  readonly #parts: RunsParts
  readonly #onFree: () => void
  readonly #byId = new Map<string, Run>()
  readonly #conducts = new Set<Promise<void>>()
  #hurry = false

  /** `onFree` is called when a run has ended and its slot is free. */
  constructor(parts: RunsParts, onFree: () => void) {
    this.#parts = parts
    this.#onFree = onFree
  }

  get ids(): string[] {
    return [...this.#byId.keys()]
  }

  /** How many there are of each kind. */
  counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { kind } of this.#byId.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    return counts
  }

  begin(job: Claimed, worker: Worker<unknown>, leaseUntilMs: number): void {
    const { owner, metadata, clock } = this.#parts
    const run = new Run(job, { owner, leaseUntilMs, metadata, clock })
    // An older run of the same job, which was taken over and has not noticed yet.
    this.#byId.get(run.id)?.lose()
    this.#byId.set(run.id, run)
    const conduct = this.#conduct(run, worker).finally(() => this.#conducts.delete(conduct))
    this.#conducts.add(conduct)
  }

  /** Renews every lease, and finds out about cancellations and lost leases. */
  async renew(): Promise<void> {
    const { metadata, clock, owner, onError } = this.#parts
    const leases = [...this.#byId.values()].map((run) => ({ run, id: run.id, fence: run.fence, news: run.news }))
    if (leases.length === 0) return
    const begunMs = clock.elapsed()
    try {
      const renewals = await databaseWithin(clock, RENEW_TIMEOUT_MS, renew(metadata, leases, owner, clock.now()))
      for (const { run, news } of leases) {
        const renewal = renewals.get(run.id)
        if (renewal === 'lost') run.lose()
        else run.leaseUntilMs = begunMs + LEASE_MS
        if (renewal === 'cancel-requested') run.stop('cancelled')
        if (renewal === 'renewed' && run.news === news) run.news = undefined
      }
    } catch (error) {
      onError(error)
      // A lease that could not be renewed in time may be held by another replica by now.
      for (const { run } of leases) if (run.leaseUntilMs <= clock.elapsed()) run.lose()
    }
  }

  /** Waits `graceMs` for runs to end, then asks them to stop; resolves once every lease was given back. */
  async end(graceMs: number): Promise<void> {
    const { clock } = this.#parts
    await within(clock, graceMs, Promise.all(this.#conducts), () => {})
    this.#hurry = true
    for (const run of this.#byId.values()) run.stop('shutdown')
    await Promise.all(this.#conducts)
  }

  async #conduct(run: Run, worker: Worker<unknown>): Promise<void> {
    const outcome = await run.attempt(worker)
    if (outcome?.end === 'failed') {
      const { kind, id: jobId, attempts } = run
      this.#parts.onFailure({ kind, jobId, attempts, error: outcome.error })
    }
    if (outcome !== undefined) await this.#settle(run, outcome)
    if (this.#byId.get(run.id) === run) this.#byId.delete(run.id)
    this.#onFree()
  }

  /**
   * Records the outcome. The lease is renewed meanwhile, so that finished work is not repeated after a short outage
   * of the database.
   */
  async #settle(run: Run, outcome: Outcome): Promise<void> {
    const { metadata, clock, onError } = this.#parts
    for (let tries = 1; ; tries++) {
      try {
        await databaseWithin(clock, SETTLE_TIMEOUT_MS, settle(metadata, run, outcome, clock.now()))
        return
      } catch (error) {
        onError(error)
        if (tries === SETTLE_TRIES || this.#hurry) return
        await wait(clock, RENEW_EVERY_MS)
      }
    }
  }
}
