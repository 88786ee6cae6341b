import { type Clock, toIso } from '../../src/engines/clock.ts'

/** A clock that stands still until a test moves it; timers fire in order as it passes them. */
export class ManualClock implements Clock {
  #now: number
  #elapsed = 0
  #timers: { at: number; callback: () => void }[] = []

  constructor(start = '2026-01-01T00:00:00.000Z') {
    this.#now = Date.parse(start)
  }

  now(): number {
    return this.#now
  }

  elapsed(): number {
    return this.#elapsed
  }

  iso(): string {
    return toIso(this.#now)
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#elapsed + ms, callback }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }

  advance(ms: number): void {
    const end = this.#elapsed + ms
    for (;;) {
      const due = this.#timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0]
      if (due === undefined) break
      this.#timers = this.#timers.filter((other) => other !== due)
      this.#pass(due.at - this.#elapsed)
      due.callback()
    }
    this.#pass(end - this.#elapsed)
  }

  /** Sets the clock to another time, back or ahead, without any time passing. */
  correct(ms: number): void {
    this.#now += ms
  }

  #pass(ms: number): void {
    this.#now += ms
    this.#elapsed += ms
  }
}
