import type { Clock } from '../clock.ts'
import type { Db, Metadata } from '../metadata/index.ts'
import type { Claimed } from './claim.ts'
import { LeaseLost } from './errors.ts'
import type { RunningJob, Worker } from './index.ts'
import { hold, type Lease, type Progress } from './lease.ts'
import { ABANDON_AFTER_MS, MAX_NOTE_CHARS, MAX_TIMER_MS, RENEW_EVERY_MS } from './limits.ts'
import { failureOf, type StopReason, stopped, successOf } from './outcome.ts'
import type { Outcome } from './transitions.ts'

/** One attempt at a job in this process, from the claim until it has ended, was given up or was lost. */
export class Run implements Lease {
  readonly id: string
  readonly kind: string
  readonly fence: number
  /** The number of attempts, with this one. */
  readonly attempts: number
  readonly owner: string
  leaseUntilMs: number
  /** Progress that is not in the database yet. */
  news: Progress | undefined

  readonly #job: Claimed
  readonly #metadata: Metadata
  readonly #clock: Clock
  readonly #abort = new AbortController()
  readonly #given = Promise.withResolvers<Outcome | undefined>()
  #reason: StopReason | undefined
  #ended = false
  #cancelTimer = () => {}

  constructor(job: Claimed, parts: { owner: string; leaseUntilMs: number; metadata: Metadata; clock: Clock }) {
    this.id = job.id
    this.kind = job.kind
    this.fence = job.fence
    this.attempts = job.attempts
    this.owner = parts.owner
    this.leaseUntilMs = parts.leaseUntilMs
    this.#job = job
    this.#metadata = parts.metadata
    this.#clock = parts.clock
  }

  /** Runs the worker and answers the outcome; undefined when the job was lost to another run, or was concluded. */
  async attempt(worker: Worker<unknown>): Promise<Outcome | undefined> {
    this.#limitTime()
    const work = Promise.try(worker, this.#running()).then(successOf, failureOf)
    const outcome = await Promise.race([work, this.#given.promise])
    this.#ended = true
    this.#cancelTimer()
    if (outcome === undefined || this.#reason === undefined) return outcome
    return stopped(this.#reason)
  }

  /** Asks the worker to stop, and goes on without it when it has not done so after 5 s. */
  stop(reason: StopReason): void {
    if (this.#ended || this.#reason !== undefined) return
    this.#reason = reason
    this.#cancelTimer()
    this.#cancelTimer = this.#clock.after(ABANDON_AFTER_MS, () => this.#given.resolve(stopped(reason)))
    this.#abort.abort(new Error(`The job was stopped: ${reason}`))
  }

  /** To be called when somebody else has the job, or may have: the result of the worker does not matter any more. */
  lose(): void {
    if (this.#ended) return
    this.#ended = true
    this.#given.resolve(undefined)
    this.#abort.abort(new LeaseLost(this.id))
  }

  #limitTime(): void {
    const { timeout_ms, deadline_at } = this.#job
    const untilDeadlineMs =
      deadline_at === null ? Number.POSITIVE_INFINITY : Date.parse(deadline_at) - this.#clock.now()
    const limitMs = Math.min(timeout_ms, untilDeadlineMs, MAX_TIMER_MS)
    const reason = untilDeadlineMs < timeout_ms ? 'deadline' : 'timeout'
    this.#cancelTimer = this.#clock.after(limitMs, () => this.stop(reason))
  }

  #running(): RunningJob<unknown> {
    return {
      id: this.id,
      payload: JSON.parse(this.#job.payload),
      attempt: this.#job.attempts,
      lease: { id: this.id, fence: this.fence, owner: this.owner },
      signal: this.#abort.signal,
      progress: (fraction, note) => {
        const permille = Math.round(Math.min(Math.max(fraction, 0), 1) * 1000) || 0 // 0/0 is NaN
        this.news = { permille, note: note?.replaceAll('\0', '').slice(0, MAX_NOTE_CHARS) ?? null }
      },
      commit: (work) => this.#commit(work)
    }
  }

  async #commit<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    if (this.#ended) throw new LeaseLost(this.id)
    try {
      return await this.#metadata.transaction(async (tx) => {
        const beganMs = this.#clock.elapsed()
        await hold(tx, this, this.#clock.now())
        const value = await work(tx)
        // During a commit nobody can take over, but the lease is not renewed either: after a long one it is renewed
        // here.
        if (this.#clock.elapsed() - beganMs >= RENEW_EVERY_MS) await hold(tx, this, this.#clock.now())
        return value
      })
    } catch (error) {
      if (error instanceof LeaseLost) this.lose()
      throw error
    }
  }
}
