/**
 * A statement, reduced to what its lineage needs: the same for every dialect. Who reads a dialect makes these; `analysis`
 * finds out which columns come from which.
 */
export type Statement =
  | { readonly kind: 'query'; readonly query: Query }
  | { readonly kind: 'write'; readonly target: Path; readonly parts: readonly WrittenPart[] }

/** Rows that a statement writes. MERGE has several of them. */
export interface WrittenPart {
  readonly query: Query
  /**
   * The columns of the target that the columns of the query go to. `by name`: to those of the same name; `in order`: to all
   * that the target has.
   */
  readonly columns: readonly string[] | 'by name' | 'in order'
}

/** A name with what qualifies it: `schema.table`, `table.column.field`. */
export type Path = readonly string[]

export interface Query {
  readonly common: readonly CommonTable[]
  readonly body: Select | SetOperation | Recursion
  readonly distinct: 'none' | 'all' | readonly Expression[]
  readonly order: readonly Expression[]
  readonly isLimited: boolean
  /** What LIMIT and OFFSET are computed from. */
  readonly limits: readonly Expression[]
}

/** A part of a WITH. */
export interface CommonTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly query: Query
}

export interface Select {
  readonly kind: 'select'
  readonly items: readonly Item[]
  readonly from: Source | null
  readonly where: Expression | null
  /** `all`: every item without an aggregate. */
  readonly groups: readonly Expression[] | 'all'
  readonly having: Expression | null
  readonly qualify: Expression | null
}

export interface Item {
  readonly expression: Expression
  readonly alias: string | null
  /** What the database calls it where it has no alias; null where that is not known. */
  readonly name: string | null
  /** Makes rows of a list, so that the list decides how many there are. */
  readonly isUnnested: boolean
}

export interface SetOperation {
  readonly kind: 'set'
  readonly operation: 'union' | 'except' | 'intersect'
  readonly isByName: boolean
  readonly isAll: boolean
  readonly sides: readonly Query[]
}

export interface Recursion {
  readonly kind: 'recursion'
  readonly name: string
  readonly columns: readonly string[]
  readonly isAll: boolean
  readonly first: Query
  readonly again: Query
  /** Of USING KEY: a later row replaces an earlier one of the same key. */
  readonly keys: readonly Expression[]
}

export interface Named {
  readonly alias: string | null
  /** Names for its columns, of which there may be fewer than columns. */
  readonly columns: readonly string[]
}

export type Source =
  | TableSource
  | QuerySource
  | JoinSource
  | ValuesSource
  | FunctionSource
  | PivotSource
  | UnpivotSource
  | UnknownSource

export interface TableSource extends Named {
  readonly kind: 'table'
  readonly path: Path
  /** The table that is written: it is read only where one of its columns is used. */
  readonly isTarget: boolean
}

export interface QuerySource extends Named {
  readonly kind: 'query'
  readonly query: Query
  /** May use what stands before it in FROM. */
  readonly isLateral: boolean
}

export interface JoinSource {
  readonly kind: 'join'
  readonly side: 'inner' | 'left' | 'right' | 'full' | 'left only'
  readonly left: Source
  readonly right: Source
  readonly on: Expression | null
  readonly using: readonly string[] | 'all that both have'
}

export interface ValuesSource extends Named {
  readonly kind: 'values'
  readonly rows: readonly (readonly Expression[])[]
}

/** A function that makes rows from its arguments and nothing else. */
export interface FunctionSource extends Named {
  readonly kind: 'function'
  readonly name: string
  readonly of: readonly Expression[]
  /** The names of its columns; null where they are not known. */
  readonly outputs: readonly string[] | null
}

export interface PivotSource extends Named {
  readonly kind: 'pivot'
  readonly source: Source
  readonly aggregates: readonly Expression[]
  readonly on: readonly Expression[]
  /** The columns that make one row; null: all that are not used otherwise. */
  readonly groups: readonly string[] | null
  /** For each new column its name, null where it is not known, and the place of its aggregate. */
  readonly made: readonly { readonly name: string | null; readonly aggregate: number }[]
}

export interface UnpivotSource extends Named {
  readonly kind: 'unpivot'
  readonly source: Source
  readonly nameColumns: readonly string[]
  readonly valueColumns: readonly string[]
  /** For each entry what becomes the values. */
  readonly entries: readonly (readonly Expression[] | Star)[]
  readonly keepsNulls: boolean
}

/** Something that is read, and not understood. */
export interface UnknownSource extends Named {
  readonly kind: 'unknown'
  readonly what: string
  /** What it is made of, as far as is known. */
  readonly of: readonly Query[]
}

export type RowKind = 'filtered' | 'joined' | 'grouped' | 'sorted'

export type Expression = ColumnUse | Made | Lambda | Subquery | Position | Star | UnknownExpression

export interface ColumnUse {
  readonly kind: 'column'
  readonly path: Path
}

/** A value made of others, or of none. */
export interface Made {
  readonly kind: 'made'
  readonly of: readonly Expression[]
  /** What decides about the rows behind it: of a window, of an aggregate with FILTER or ORDER BY. */
  readonly by: readonly { readonly kind: RowKind; readonly expression: Expression }[]
  readonly isAggregate: boolean
  /** Differs with the order of rows, and says nothing about it. */
  readonly isOrdered: boolean
}

export interface Lambda {
  readonly kind: 'lambda'
  readonly parameters: readonly string[]
  readonly body: Expression
}

export interface Subquery {
  readonly kind: 'subquery'
  readonly query: Query
  /** EXISTS: only its rows count. */
  readonly isExistence: boolean
}

/** A column of the result, by its number from 1: in ORDER BY and GROUP BY. Otherwise a column of FROM. */
export interface Position {
  readonly kind: 'position'
  readonly number: number
  readonly of: 'result' | 'from'
}

/** `*`, `t.*` and COLUMNS(…): several columns. */
export interface Star {
  readonly kind: 'star'
  readonly table: Path
  readonly excluded: readonly Path[]
  readonly replaced: readonly { readonly name: string; readonly expression: Expression }[]
  readonly renamed: readonly { readonly path: Path; readonly name: string }[]
  /** Which names are meant; null: all. */
  readonly isMeant: ((name: string) => boolean) | null
  /** All columns at once, as arguments of one function. */
  readonly isUnpacked: boolean
}

export interface UnknownExpression {
  readonly kind: 'unknown'
  readonly what: string
}

export const CONSTANT: Made = { kind: 'made', of: [], by: [], isAggregate: false, isOrdered: false }

export const madeOf = (of: readonly Expression[]): Made => (of.length === 0 ? CONSTANT : { ...CONSTANT, of })

export const simpleQuery = (body: Query['body']): Query => ({
  common: [],
  body,
  distinct: 'none',
  order: [],
  isLimited: false,
  limits: []
})
