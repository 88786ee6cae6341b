/** What a statement needs of a relation, so that no more has to be fetched than that. To fetch more is always right. */
export interface Wish {
  /** Names that may be those of columns, in small letters; null where all columns are needed. */
  readonly names: readonly string[] | null
  /** Only records for which all of these hold are looked at. */
  readonly where: readonly Condition[]
  /** No more records than these are looked at, and it does not matter which of those that `where` holds for. */
  readonly limit: number | null
}

export interface Condition {
  readonly column: string
  readonly is: '=' | '<' | '<=' | '>' | '>=' | 'in' | 'null' | 'not null'
  /** One, or for `in` some; none for `null`. */
  readonly values: readonly ConditionValue[]
}

export type ConditionValue = { readonly number: string } | { readonly text: string }

export const EVERYTHING: Wish = { names: null, where: [], limit: null }
