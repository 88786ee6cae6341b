/** Thrown where a statement is too large or too deep to follow; the message is for people. */
export class GivenUp extends Error {}

/** Far more than statements of people need; statements of attackers end here. */
const MOST_STEPS = 500_000
const DEEPEST = 200

/** Counts what the analysis of one statement takes. */
export class Effort {
  #steps = 0
  #depth = 0

  spend(steps: number): void {
    this.#steps += steps
    if (this.#steps > MOST_STEPS)
      throw new GivenUp('The statement is too large: too many columns come from too many others.')
  }

  /** For everything that calls itself. */
  deeper<T>(work: () => T): T {
    if (this.#depth === DEEPEST) throw new GivenUp(`The statement is nested more than ${DEEPEST} levels deep.`)
    this.#depth++
    try {
      return work()
    } finally {
      this.#depth--
    }
  }
}
