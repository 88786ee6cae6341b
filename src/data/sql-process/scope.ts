/** DuckDB ignores case in names for Latin letters only: K is not the Kelvin sign. */
export const folded = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

/**
 * The names of WITH that a place in a statement can see: those of the statements around it, and those defined before
 * it.
 */
export class Scope {
  readonly #places: ReadonlyMap<string, number>
  /** Names at this index and after it are not defined yet. */
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

  /** For each name of a WITH the scope of its own query, and last the scope of the statement. */
  with(names: readonly string[]): Scope[] {
    const places = new Map(names.map((name, place) => [folded(name), place]))
    return Array.from({ length: names.length + 1 }, (_, before) => new Scope(places, before, this, false))
  }

  /** The scope of the part of a recursive query that reads its own result so far. */
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
