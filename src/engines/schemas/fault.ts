/** Where in a text, as far as known; lines and columns count from 1. */
export interface Place {
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** JSON pointer into a schema that is JSON. */
  readonly pointer?: string | undefined
  /** The dependency it is in; undefined for the schema itself. */
  readonly dependency?: string | undefined
}

export type FaultKind =
  /** The text is not a schema. */
  | 'invalid'
  /** It refers to something that is not there. */
  | 'missing_reference'
  /** It may well be one, but to look at it takes more than a schema is worth. */
  | 'too_complex'
  /** It is one, but what was asked for can't be done with it. */
  | 'unsupported'

/** Why a schema can't be used, said to whoever wrote it. */
export class SchemaFault extends Error {
  readonly kind: FaultKind
  readonly place: Place

  constructor(kind: FaultKind, message: string, place: Place = {}) {
    super(message)
    this.kind = kind
    this.place = place
  }
}

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
