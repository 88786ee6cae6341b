import type { Clock } from '../engines/clock.ts'

/** So many requests begin at once, whoever sends them; with this number a turn of the event loop is still short. */
const AT_ONCE = 16
/** How long waiting work may keep the event loop busy in one go. */
const TURN_MS = 5

/**
 * Whose work is next where more has come than can be done at once: one piece of each holder after the other, so that many
 * connections of one holder get no more than one of another. In between the process looks at what else there is to do.
 */
export class Turns {
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #waiting = new Map<string, (() => void)[]>()
  #begun = 0
  #isDue = false

  constructor(clock: Pick<Clock, 'elapsed'>) {
    this.#clock = clock
  }

  /** Whether the caller may begin at once. Counts the caller, and costs next to nothing. */
  take(): boolean {
    if (this.#begun >= AT_ONCE || this.#waiting.size > 0) return false
    this.#begun++
    return true
  }

  /** Queues the work of a holder for whom `take` answered false. */
  wait(holder: string, work: () => void): void {
    const line = this.#waiting.get(holder)
    if (line === undefined) this.#waiting.set(holder, [work])
    else line.push(work)
    this.#goOn()
  }

  #goOn(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => this.#run())
  }

  #run(): void {
    this.#isDue = false
    this.#begun = 0
    const endMs = this.#clock.elapsed() + TURN_MS
    for (const [holder, line] of this.#waiting) {
      const work = line.shift()
      this.#waiting.delete(holder)
      // Put back as the last, so that this loop reaches it again after the others.
      if (line.length > 0) this.#waiting.set(holder, line)
      work?.()
      if (this.#clock.elapsed() >= endMs) break
    }
    if (this.#waiting.size > 0) this.#goOn()
  }
}
