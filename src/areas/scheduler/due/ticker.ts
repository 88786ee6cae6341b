import type { Bus } from '../../../engines/bus/index.ts'
import type { Log } from '../../../engines/log.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { LOOK_EVERY_MS, SCHEDULES_AT_ONCE } from '../limits.ts'
import { type HandleNeeds, handleDue } from './handle.ts'
import { lockDue, nextFireAt } from './store.ts'

interface Needs extends HandleNeeds {
  readonly metadata: Metadata
  readonly bus: Bus
  readonly log: Log
}

/** Looks when the next due time comes, and deals with it then; once a second at the least, for those of other replicas. */
export class Ticker {
  readonly #needs: Needs
  #cancelTimer = () => {}
  #unsubscribe = () => {}
  #ticking: Promise<void> | undefined
  #wanted = false
  #ended = false

  constructor(needs: Needs) {
    this.#needs = needs
  }

  start(): void {
    this.#unsubscribe = this.#needs.bus.subscribe('schedule.*', () => this.soon())
    this.soon()
  }

  async stop(): Promise<void> {
    this.#ended = true
    this.#unsubscribe()
    this.#cancelTimer()
    await this.#ticking
  }

  /** One tick at a time; a call during a tick makes another one follow. */
  soon(): void {
    this.#wanted = true
    this.#ticking ??= this.#tickWhileWanted()
  }

  async #tickWhileWanted(): Promise<void> {
    while (this.#wanted && !this.#ended) {
      this.#wanted = false
      this.#cancelTimer()
      const untilNextMs = await this.#tickAndLook()
      if (!this.#ended) this.#cancelTimer = this.#needs.clock.after(untilNextMs, () => this.soon())
    }
    this.#ticking = undefined
  }

  /** Answers how long there is nothing to do. */
  async #tickAndLook(): Promise<number> {
    const { metadata, clock, onError } = this.#needs
    try {
      await this.tick()
      const next = await nextFireAt(metadata.db)
      if (next === undefined) return LOOK_EVERY_MS
      return Math.min(Math.max(Date.parse(next) - clock.now(), 0), LOOK_EVERY_MS)
    } catch (error) {
      onError(error)
      return LOOK_EVERY_MS
    }
  }

  /** Deals with everything whose time has come; answers how many schedules that were. */
  async tick(): Promise<number> {
    const { metadata, clock, jobs, log } = this.#needs
    for (let total = 0; ; ) {
      const { handled, begins, missed } = await metadata.transaction(async (tx) => {
        const due = await lockDue(tx, metadata.dialect, clock.iso(), SCHEDULES_AT_ONCE)
        const outcome = due.length > 0 ? await handleDue(this.#needs, tx, due) : { begins: false, missed: 0 }
        return { handled: due.length, ...outcome }
      })
      if (begins) jobs.wake()
      if (missed > 0)
        log.warn({ missed }, 'due times of schedules were missed: no server was there, or it was too slow')
      total += handled
      if (handled < SCHEDULES_AT_ONCE || this.#ended) return total
    }
  }
}
