import type { TagType } from '../index.ts'
import type { KnownTag, TagRegistry } from './points.ts'

/** The tags of a source as they would become: new ones are known here alone. */
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
