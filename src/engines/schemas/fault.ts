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
