import { isPattern } from '../../../data/glob.ts'
import { type LabelSet, type Matchers, matcherOf } from '../matchers.ts'

interface Entry<T> {
  readonly item: T
  /** Its place among all. */
  readonly place: number
  matches(labels: LabelSet): boolean
}

/**
 * Finds what labels are matched by, without asking each: those with a value among their matchers are found by it. Only
 * those that have nothing but patterns are asked for all labels.
 */
export class MatcherIndex<T> {
  /** By name and value of a label. */
  readonly #byValue = new Map<string, Map<string, Entry<T>[]>>()
  readonly #others: Entry<T>[] = []

  constructor(items: readonly T[], matchersOf: (item: T) => Matchers) {
    for (const [place, item] of items.entries()) {
      const matchers = matchersOf(item)
      this.#listFor(matchers).push({ item, place, matches: matcherOf(matchers) })
    }
  }

  /** In the order of the items. */
  matching(labels: LabelSet): T[] {
    const found = this.#others.filter(({ matches }) => matches(labels))
    for (const [name, value] of Object.entries(labels)) {
      for (const entry of this.#byValue.get(name)?.get(value) ?? []) {
        if (entry.matches(labels)) found.push(entry)
      }
    }
    return found.sort((a, b) => a.place - b.place).map(({ item }) => item)
  }

  #listFor(matchers: Matchers): Entry<T>[] {
    // Labels that lack one have its empty value too.
    const value = Object.entries(matchers).find(([, text]) => text !== '' && !isPattern(text))
    if (value === undefined) return this.#others
    const [name, text] = value
    const ofName = this.#byValue.get(name) ?? new Map<string, Entry<T>[]>()
    const list = ofName.get(text) ?? []
    this.#byValue.set(name, ofName.set(text, list))
    return list
  }
}
