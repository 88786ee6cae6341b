import { setImmediate as turn } from 'node:timers/promises'
import type { Lease } from '../../../engines/jobs/index.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { lockRuns } from '../runs/store.ts'
import { lockSchedules } from '../schedules/store.ts'
import { type EndNeeds, tell } from './ended.ts'
import { type AttemptEnd, type Finished, type FinishNeeds, finishAttempts } from './finish.ts'

/** Attempts whose end is written in one transaction. */
const AT_ONCE = 256
/** Where so many have ended in one turn, others are waited for, but not for longer than this. */
const MANY = 8
const WAIT_MS = 100

interface Needs extends FinishNeeds, EndNeeds {
  readonly metadata: Metadata
}

/** An attempt that has ended, with the job that made it. */
export interface Ending {
  readonly lease: Lease
  readonly runId: string
  readonly scheduleId: string
  readonly end: AttemptEnd
}

interface Waiting {
  readonly ending: Ending
  resolve(): void
  reject(error: unknown): void
}

/**
 * Writes down how attempts ended, and with each that its job has. Those that end at about the same time are written in one
 * transaction: the disk is flushed once for all of them, and a statement is about many.
 */
export class Endings {
  readonly #needs: Needs
  readonly #waiting: Waiting[] = []
  #writing: Promise<void> | undefined
  #onFull = () => {}

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Resolves once it is committed. Of an attempt that another server has taken over nothing is written. */
  add(ending: Ending): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ending, resolve, reject })
      if (this.#waiting.length === AT_ONCE) this.#onFull()
      this.#writing ??= this.#writeAll()
    })
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather()
      await this.#write(this.#waiting.splice(0, AT_ONCE))
    }
    this.#writing = undefined
  }

  /** What ends alone is written at once; where many end, more are about to. */
  async #gather(): Promise<void> {
    await turn()
    if (this.#waiting.length < MANY || this.#waiting.length >= AT_ONCE) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onFull = resolve
    const timer = setTimeout(resolve, WAIT_MS)
    await promise
    clearTimeout(timer)
  }

  async #write(some: readonly Waiting[]): Promise<void> {
    const { metadata } = this.#needs
    const endings = some.map(({ ending }) => ending)
    let finished: readonly Finished[]
    try {
      finished = await metadata.transaction((tx) => this.#finish(tx, endings))
    } catch (error) {
      // One that can't be written must not keep the others from it.
      if (some.length > 1) for (const one of some) await this.#write([one])
      else some[0]?.reject(error)
      return
    }
    for (const one of finished) tell(this.#needs, one)
    for (const { resolve } of some) resolve()
  }

  /** Locks schedules, runs and jobs in this order, as those who cancel runs do. */
  async #finish(tx: Db, endings: readonly Ending[]): Promise<Finished[]> {
    const schedules = await lockSchedules(
      tx,
      endings.map(({ scheduleId }) => scheduleId)
    )
    const runs = await lockRuns(
      tx,
      endings.map(({ runId }) => runId)
    )
    const held = await this.#needs.jobs.conclude(
      tx,
      endings.map(({ lease }) => lease)
    )
    const ended = endings.flatMap(({ lease, runId, end }) => {
      const run = runs.get(runId)
      // The schedule was deleted meanwhile, or another server has the run.
      return run === undefined || !held.has(lease.id) ? [] : [{ run, end }]
    })
    return finishAttempts(this.#needs, tx, schedules, ended)
  }
}
