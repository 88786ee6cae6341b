import { SchemaFault } from './fault.ts'

/**
 * How much may be done about one question. Schemas can be short and yet take for ever: alternatives within alternatives,
 * references that unfold. Whoever walks one spends a step at each node it looks at.
 */
export class Effort {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  spend(steps = 1): void {
    this.#left -= steps
    if (this.#left < 0) {
      throw new SchemaFault('too_complex', 'The schema is too complex to be looked at; divide it or nest it less')
    }
  }
}

/** Deeper than any schema that people write; the stack stands far more. */
export const MAX_DEPTH = 200
/** Of a text with all that it refers to. */
export const MAX_TEXT_CHARS = 1024 * 1024
