import { toIso } from '../../../engines/clock.ts'
import { readingsFor, stepFor } from '../evaluation/judging.ts'
import type { Found } from '../evaluation/readings.ts'
import type { Instance, Manners } from '../evaluation/states.ts'
import type { Preview } from './schema.ts'

const MAX_INTERVALS = 10_000

type Shown = Preview['instances'][number]
type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** What becomes of instances step by step, and how that is shown. */
export class Timeline {
  readonly #manners: Manners
  readonly #instances = new Map<string, Instance>()
  readonly #shown = new Map<string, Shown>()
  #intervals = 0

  constructor(manners: Manners) {
    this.#manners = manners
  }

  get isCut(): boolean {
    return this.#intervals > MAX_INTERVALS
  }

  get instances(): Shown[] {
    return [...this.#shown.values()]
  }

  step(found: Found, nowMs: number): void {
    for (const [labels, { reading }] of readingsFor(found, this.#instances)) {
      const { instance, change } = stepFor(found, this.#instances.get(labels), reading, nowMs, this.#manners)
      if (instance === undefined) this.#instances.delete(labels)
      else this.#instances.set(labels, instance)
      const shown = this.#shownOf(labels)
      const value = Number.isFinite(instance?.value) ? (instance?.value ?? null) : null
      if (change?.kind === 'fired') shown.alerts.push({ startedAt: toIso(nowMs), resolvedAt: null, value })
      if (change?.kind === 'resolved')
        (shown.alerts.at(-1) as Mutable<Shown['alerts'][number]>).resolvedAt = toIso(nowMs)
      this.#extend(shown, instance?.state ?? 'normal', toIso(nowMs), value)
    }
  }

  #shownOf(labels: string): Shown {
    const known = this.#shown.get(labels)
    if (known !== undefined) return known
    const shown: Shown = { labels: JSON.parse(labels), alerts: [], intervals: [] }
    this.#shown.set(labels, shown)
    return shown
  }

  #extend({ intervals }: Shown, state: Instance['state'], at: string, value: number | null): void {
    const last = intervals.at(-1) as Mutable<Shown['intervals'][number]> | undefined
    if (last !== undefined) last.to = at
    if (last?.state === state || this.isCut) return
    this.#intervals++
    if (!this.isCut) intervals.push({ state, from: at, to: at, value })
  }
}

/** Said where not all intervals are shown. */
export const CUT_NOTE = `Only the first ${MAX_INTERVALS.toLocaleString('en')} intervals are shown: ask for a shorter time or fewer instances to see all.`
