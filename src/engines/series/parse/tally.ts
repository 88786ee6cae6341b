import type { LineError, LineErrorCode, MAX_LINE_ERRORS, Written } from '../index.ts'

/** The number itself is the seam's, which loads the engines; of a type only that one number can be assigned here. */
const MAX_ERRORS: typeof MAX_LINE_ERRORS = 100

/** What is wrong with one point of JSON, or with the tag that a point names. */
export interface Refusal {
  readonly code: LineErrorCode
  readonly message: string
}

/** Counts what is taken and refused, and keeps the first refusals. */
export class Tally {
  accepted = 0
  #rejected = 0
  readonly #maxErrors: number
  readonly #errors: LineError[] = []

  constructor(maxErrors: number = MAX_ERRORS) {
    this.#maxErrors = maxErrors
  }

  /** Whether the next refusal will be kept, so that its message is worth making. */
  get keeps(): boolean {
    return this.#errors.length < this.#maxErrors
  }

  refuse(line: number, code: LineErrorCode, message: string): void {
    this.#rejected++
    if (this.keeps) this.#errors.push({ line, code, message })
  }

  written(): Written {
    return { accepted: this.accepted, rejected: this.#rejected, errors: this.#errors }
  }
}
