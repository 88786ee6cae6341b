import type { TagType } from '../index.ts'
import type { KnownTag, TagRegistry } from './points.ts'

/** The tags that a source would have after a write: new ones exist only here. */
export class TrialTags implements TagRegistry {
  readonly #typeOf: (name: string) => TagType | undefined
  readonly #made = new Map<string, KnownTag>()

  constructor(typeOf: (name: string) => TagType | undefined) {
    this.#typeOf = typeOf
  }

  resolve(name: string, _labels: Readonly<Record<string, string>>, type: TagType): KnownTag {
    const known = this.#made.get(name) ?? { id: 0, type: this.#typeOf(name) ?? type }
    this.#made.set(name, known)
    return known
  }
}
