import type { LineError, LineErrorCode, MAX_LINE_ERRORS, Written } from '../index.ts'

/** A copy, since importing the value would load the engines. Its type makes sure that the number is the same. */
const MAX_ERRORS: typeof MAX_LINE_ERRORS = 100

/** The reason why a point of JSON, or the tag that it names, is refused. */
export interface Refusal {
  readonly code: LineErrorCode
  readonly message: string
}

/** Counts accepted and rejected points, and keeps the first refusals. */
export class Tally {
  accepted = 0
  #rejected = 0
  readonly #maxErrors: number
  readonly #errors: LineError[] = []

  constructor(maxErrors: number = MAX_ERRORS) {
    this.#maxErrors = maxErrors
  }

  /** Whether the next refusal will be kept, so that it is worth making its message. */
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
