/**
 * What a schema says of data, without the language it says it in: the common ground of the three formats, and what is
 * found out about data that have no schema yet.
 */
export type Shape =
  | { readonly kind: 'any' }
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer'; readonly bits: 32 | 64; readonly signed: boolean }
  | { readonly kind: 'number'; readonly bits: 32 | 64 }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'string'; readonly format?: StringFormat }
  /** Without a size: of any length. */
  | { readonly kind: 'bytes'; readonly size?: number }
  | { readonly kind: 'enum'; readonly name?: string; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly items: Shape }
  /** Names are strings. */
  | { readonly kind: 'map'; readonly values: Shape }
  | RecordShape
  | { readonly kind: 'union'; readonly options: readonly Shape[] }
  /** A record further up, by its name. */
  | { readonly kind: 'recursion'; readonly name: string }

export type StringFormat = 'date' | 'time' | 'date-time' | 'uuid' | 'email' | 'uri'

export interface RecordShape {
  readonly kind: 'record'
  /** With its namespace, divided by dots, where it has one. */
  readonly name?: string
  readonly doc?: string
  readonly fields: readonly FieldShape[]
  /** Whether values may have fields beside these. */
  readonly open?: boolean
}

export interface FieldShape {
  readonly name: string
  readonly doc?: string
  /** A field that may be null has a union with null. */
  readonly shape: Shape
  /** Whether a value may lack the field. */
  readonly optional: boolean
  /** As JSON; undefined where there is none. */
  readonly default?: unknown
}
