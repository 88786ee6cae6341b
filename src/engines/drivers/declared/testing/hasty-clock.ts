import { type Clock, toIso } from '../../../clock.ts'

/** A clock on which whatever somebody waits for is there at once: it moves on by as much. */
export class HastyClock implements Clock {
  #now: number
  readonly #start: number
  /** What was waited for, in milliseconds. */
  readonly waits: number[] = []

  constructor(start = '2026-01-01T00:00:00.000Z') {
    this.#now = Date.parse(start)
    this.#start = this.#now
  }

  now(): number {
    return this.#now
  }

  elapsed(): number {
    return this.#now - this.#start
  }

  iso(): string {
    return toIso(this.#now)
  }

  after(ms: number, callback: () => void): () => void {
    this.waits.push(ms)
    const timer = setImmediate(() => {
      this.#now += ms
      callback()
    })
    return () => clearImmediate(timer)
  }
}
