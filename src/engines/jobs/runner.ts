import { setImmediate as turn } from 'node:timers/promises'
import type { Bus } from '../bus/index.ts'
import { databaseWithin, repeat } from '../timing.ts'
import { claim, type Slots } from './claim.ts'
import type { Worker } from './index.ts'
import { LEASE_MS, POLL_EVERY_MS, RENEW_EVERY_MS } from './limits.ts'
import type { Rest } from './rest.ts'
import { Runs, type RunsParts } from './runs.ts'
import { sweep } from './sweep.ts'

const TAKE_TIMEOUT_MS = 30_000

export interface Handler {
  readonly worker: Worker<unknown>
  readonly concurrency: number
  /** Of recurring work that may have nothing to do. */
  readonly rest?: Rest | undefined
}

export interface RunnerParts extends RunsParts {
  readonly bus: Bus
  readonly handlers: ReadonlyMap<string, Handler>
}

/** Takes due jobs while there are slots for them. A poll that fails is reported, and the next one tries again. */
export class Runner {
  readonly #parts: RunnerParts
  readonly #runs: Runs
  #end: ((graceMs: number) => Promise<void>) | undefined
  #stopping = false
  #claiming: Promise<void> | undefined
  #wanted = false

  constructor(parts: RunnerParts) {
    this.#parts = parts
    this.#runs = new Runs(parts, () => this.#claimSoon())
  }

  get started(): boolean {
    return this.#end !== undefined
  }

  start(): void {
    if (this.started) throw new Error('Jobs are started already')
    const { bus, clock } = this.#parts
    const unsubscribe = bus.subscribe('job.queued', () => this.#claimSoon())
    const endPolling = repeat(clock, POLL_EVERY_MS, () => this.#poll())
    const endRenewing = repeat(clock, RENEW_EVERY_MS, () => this.#runs.renew())
    this.#end = async (graceMs) => {
      unsubscribe()
      await endPolling()
      await this.#claiming
      await this.#runs.end(graceMs)
      await endRenewing()
    }
    this.#claimSoon()
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    await this.#end?.(graceMs)
  }

  async #poll(): Promise<void> {
    const { metadata, clock } = this.#parts
    await this.#reported(sweep(metadata, this.#runs.ids, clock.now()))
    this.#claimSoon()
  }

  /** One claim at a time; a call during a claim makes another one follow, so that no wake-up is lost. */
  #claimSoon(): void {
    this.#wanted = true
    this.#claiming ??= this.#claimWhileWanted()
  }

  async #claimWhileWanted(): Promise<void> {
    while (this.#wanted && !this.#stopping) {
      this.#wanted = false
      await this.#reported(this.#claim())
      await turn() // gives other work its turn: an embedded database and short jobs would never do so
    }
    this.#claiming = undefined
  }

  async #claim(): Promise<void> {
    const { metadata, clock, owner, handlers } = this.#parts
    const counts = this.#runs.counts()
    const slots: Slots[] = []
    for (const [kind, { concurrency, rest }] of handlers) {
      const free = concurrency - (counts.get(kind) ?? 0)
      if (free > 0 && !(await rest?.lasts())) slots.push({ kind, free })
    }
    if (slots.length === 0) return
    const leaseUntilMs = clock.elapsed() + LEASE_MS
    const claimed = await claim(metadata, slots, owner, clock.now())
    if (leaseUntilMs <= clock.elapsed()) return // the answer came so late that other replicas may have these jobs by now
    for (const job of claimed) this.#runs.begin(job, (handlers.get(job.kind) as Handler).worker, leaseUntilMs)
  }

  async #reported(work: Promise<void>): Promise<void> {
    try {
      await databaseWithin(this.#parts.clock, TAKE_TIMEOUT_MS, work)
    } catch (error) {
      this.#parts.onError(error)
    }
  }
}
