/**
 * How far a walk has come at each node. What is only a part of other data, or contains them, leads on to what reads and
 * writes it, but not to further parts: `a.csv` is some of `*.csv`, and so is `b.csv`, yet nothing leads from one to the other.
 */
export class Arrivals {
  /** `part`: only met as a part; `passed`: and left already. */
  readonly #states = new Map<string, 'part' | 'passed' | 'whole'>()

  /** Answers whether the node is new, is to be left once more for its parts, or needs nothing. */
  meet(node: string, isPart: boolean): 'new' | 'again' | 'known' {
    const state = this.#states.get(node)
    if (state === undefined) {
      this.#states.set(node, isPart ? 'part' : 'whole')
      return 'new'
    }
    if (isPart || state === 'whole') return 'known'
    this.#states.set(node, 'whole')
    return state === 'passed' ? 'again' : 'known'
  }

  /** Whether the walk goes from the node to its parts, as it leaves it. */
  leave(node: string): boolean {
    if (this.#states.get(node) === 'whole') return true
    this.#states.set(node, 'passed')
    return false
  }
}
