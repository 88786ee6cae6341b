import { NOTHING_SKIPPED, type Skipped, type Tally, withSkipped } from './replay-run.ts'

const TELL_EVERY_MS = 5000

/** How far a run is with the dead letters that it was told to put through. */
export class ReplayProgress {
  tally: Tally
  replayed = 0
  isUnderWay: boolean
  readonly #tell: (message: string) => void
  #toldMs = 0

  /** `tally`: for a run that does nothing else, what its order could not be given. */
  constructor(tally: Tally | undefined, tell: (message: string) => void) {
    this.tally = tally ?? NOTHING_SKIPPED
    this.isUnderWay = tally !== undefined
    this.#tell = tell
  }

  begin(tally: Tally): void {
    this.tally = tally
    this.replayed = 0
    this.isUnderWay = true
  }

  skipped(more: readonly Skipped[]): void {
    this.tally = withSkipped(this.tally, more)
  }

  committed(replayed: number, nowMs: number): void {
    this.replayed += replayed
    if (replayed === 0 || nowMs - this.#toldMs < TELL_EVERY_MS) return
    if (this.#toldMs !== 0) this.#tell(`Replaying dead letters: ${this.replayed} are done`)
    this.#toldMs = nowMs
  }

  end(): void {
    if (!this.isUnderWay) return
    this.isUnderWay = false
    this.#toldMs = 0
    const { skippedCount } = this.tally
    const left = skippedCount === 0 ? '' : `; ${skippedCount} can't be put through again`
    this.#tell(`Replayed ${this.replayed} dead letters${left}`)
  }
}
