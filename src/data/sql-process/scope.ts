/** DuckDB takes names as the same that differ in the case of Latin letters, and of no others: K is not the Kelvin sign. */
export const folded = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/** The names after WITH that can be seen from a place in a statement: those of the parts around it, and what comes before it. */
export class Scope {
  readonly #places: ReadonlyMap<string, number>
  /** Names at this place and after it are not there yet. */
  readonly #before: number
  readonly #around: Scope | undefined
  readonly #isRecursion: boolean

  private constructor(
    places: ReadonlyMap<string, number>,
    before: number,
    around: Scope | undefined,
    isRecursion: boolean
  ) {
    this.#places = places
    this.#before = before
    this.#around = around
    this.#isRecursion = isRecursion
  }

  static readonly empty = new Scope(new Map(), 0, undefined, false)

  /** For each of the names after a WITH what its own query can see, and last what the statement can. */
  with(names: readonly string[]): Scope[] {
    const places = new Map(names.map((name, place) => [folded(name), place]))
    return Array.from({ length: names.length + 1 }, (_, before) => new Scope(places, before, this, false))
  }

  /** For the part of a recursive query that reads what it has made so far. */
  recursive(name: string): Scope {
    return new Scope(new Map([[folded(name), 0]]), 1, this, true)
  }

  has(name: string, ofRecursion = false): boolean {
    const wanted = folded(name)
    for (let scope: Scope | undefined = this; scope !== undefined; scope = scope.#around) {
      const place = scope.#places.get(wanted)
      if (place !== undefined && place < scope.#before) return !ofRecursion || scope.#isRecursion
    }
    return false
  }
}
