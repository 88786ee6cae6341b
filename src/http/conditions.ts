import type { Clock } from '../engines/clock.ts'

const REPEATED_MS = 60_000

interface Condition {
  readonly since: string
  readonly sinceMs: number
  readonly kind: string
  toldMs: number
}

/** A change of a condition that is worth a line in the log. */
export type News =
  | { readonly kind: 'failed' }
  | { readonly kind: 'lasts'; readonly since: string }
  | { readonly kind: 'ended'; readonly since: string; readonly lastedMs: number }

/**
 * Conditions of things that are checked repeatedly: since when each is not well, and which findings are news. A
 * change is news at once; a condition that lasts is news once a minute.
 */
export class Conditions {
  readonly #clock: Clock
  readonly #all = new Map<string, Condition>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Since when the named thing is not well; undefined while it is well. */
  since(name: string): string | undefined {
    return this.#all.get(name)?.since
  }

  /** Takes the result of a check: what is wrong, in words; undefined where all is well. */
  take(name: string, wrong: string | undefined): News | undefined {
    const nowMs = this.#clock.elapsed()
    const last = this.#all.get(name)
    if (wrong === undefined) {
      this.#all.delete(name)
      return last && { kind: 'ended', since: last.since, lastedMs: Math.round(nowMs - last.sinceMs) }
    }
    const kind = kindOf(wrong)
    if (last?.kind === kind) {
      if (nowMs - last.toldMs < REPEATED_MS) return undefined
      last.toldMs = nowMs
      return { kind: 'lasts', since: last.since }
    }
    const { since, sinceMs } = last ?? { since: this.#clock.iso(), sinceMs: nowMs }
    this.#all.set(name, { since, sinceMs, kind, toldMs: nowMs })
    return { kind: 'failed' }
  }

  /** Forgets the things that are no longer checked. */
  keep(names: ReadonlySet<string>): void {
    for (const name of this.#all.keys()) if (!names.has(name)) this.#all.delete(name)
  }
}

/** Numbers change at each check, as the free bytes do; without them the same trouble has the same text. */
const kindOf = (wrong: string): string => wrong.replace(/\d+/g, '0')

/** What an error and its causes say, without the stacks. */
export function reasonsOf(error: unknown): string {
  const reasons: string[] = []
  for (let each = error; each !== undefined && each !== null && reasons.length < 5; ) {
    const { message, code, cause } = each as { message?: unknown; code?: unknown; cause?: unknown }
    const text = String(message || code || each)
    if (!reasons.includes(text)) reasons.push(text)
    each = cause
  }
  return reasons.join(': ')
}
