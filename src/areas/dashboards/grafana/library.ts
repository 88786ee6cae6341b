import { type Fields, objectOf } from './reading.ts'

/** Of all uses together: one panel of a library may stand in a dashboard hundreds of times. */
const MAX_CHARS = 5 * 1024 * 1024

/** Library panels that come with an exported file, by their identifiers. */
export class Library {
  readonly #elements: Fields
  readonly #sizes = new Map<string, number>()
  #charsLeft = MAX_CHARS
  /** Why the last panel that was asked for is not there. */
  problem = ''

  constructor(elements: unknown) {
    this.#elements = objectOf(elements)
  }

  /** The panel; one without any field where there is none, or where all uses together are larger than a file may be. */
  take(uid: string): Fields {
    const model = objectOf(objectOf(this.#elements[uid]).model)
    const size = this.#sizes.get(uid) ?? JSON.stringify(model).length
    this.#sizes.set(uid, size)
    this.problem = size > this.#charsLeft ? 'which is too large to stand there so often' : 'which is not in this file'
    if (size > this.#charsLeft) return objectOf(undefined)
    this.#charsLeft -= size
    return model
  }
}
