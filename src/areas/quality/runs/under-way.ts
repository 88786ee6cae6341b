import type { Bus } from '../../../engines/bus/index.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { Run, type RunFacts } from './run.ts'
import * as store from './store.ts'

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly bus: Bus
  onError(error: unknown): void
}

const BEAT_MS = 1000

/**
 * The runs of this process. Each second it writes down how far they are, for whichever replica is asked, and reads which of
 * them are to end. What is over sooner than that is never written.
 */
export class UnderWay {
  readonly #needs: Needs
  /** Of this process, as long as it lives. */
  readonly #owner: string
  readonly #runs = new Map<string, Run>()
  /** Those of which there may be a row. */
  readonly #told = new Set<string>()
  #leave = () => {}
  #cancelTimer: (() => void) | undefined
  #beating: Promise<void> = Promise.resolve()

  constructor(needs: Needs) {
    this.#needs = needs
    this.#owner = needs.makeId('qown')
  }

  start(): void {
    this.#leave = this.#needs.bus.subscribe('quality-run.updated', () => void this.#beat())
  }

  async stop(): Promise<void> {
    this.#leave()
    this.#cancelTimer?.()
    await this.#beating.catch(() => {})
  }

  /** Carries out a run, which is under way until `work` has ended. */
  async during<T>(facts: RunFacts, work: (run: Run) => Promise<T>): Promise<T> {
    const run = new Run(facts, this.#needs.clock.iso())
    this.#runs.set(facts.id, run)
    this.#arm()
    try {
      return await work(run)
    } finally {
      this.#runs.delete(facts.id)
      await this.#forget(facts.id)
    }
  }

  /** Writes down how far the runs of this process are now. */
  tell(): Promise<void> {
    this.#beating = this.#beating.catch(() => {}).then(() => this.#write())
    return this.#beating
  }

  #arm(): void {
    this.#cancelTimer ??= this.#needs.clock.after(BEAT_MS, async () => {
      this.#cancelTimer = undefined
      await this.#beat()
      if (this.#runs.size > 0) this.#arm()
    })
  }

  /** The next one comes in a second: one that fails does no harm. */
  async #beat(): Promise<void> {
    await this.tell().catch(this.#needs.onError)
  }

  async #write(): Promise<void> {
    const { metadata, clock } = this.#needs
    const runs = [...this.#runs.values()]
    if (runs.length === 0) return
    for (const { facts } of runs) this.#told.add(facts.id)
    const asked = await metadata.transaction((tx) => store.writeRuns(tx, this.#owner, runs, clock.iso()))
    for (const { id, cancelled_name } of asked) {
      if (cancelled_name !== null) this.#runs.get(id)?.cancel({ name: cancelled_name })
    }
  }

  /** Waits for what is being written: the row would come back after it. */
  async #forget(id: string): Promise<void> {
    await this.#beating.catch(() => {})
    if (!this.#told.delete(id)) return
    await this.#needs.metadata.transaction((tx) => store.endRun(tx, id)).catch(this.#needs.onError)
  }
}
