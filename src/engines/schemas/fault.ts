/** A place in the text of a schema, as far as known. Lines and columns count from 1. */
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
  /** It may be a schema, but takes more time or memory than it is given. */
  | 'too_complex'
  /** It is a schema, but one that the requested operation can't handle. */
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
/** The longest text of a schema, together with the texts it refers to. */
export const MAX_TEXT_CHARS = 1024 * 1024
