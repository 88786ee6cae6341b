import type { KnownTables, StatementLineage } from '../../engines/sql-lineage/index.ts'
import type { DataErrorCode, SqlPosition } from '../errors.ts'
import type { QueryLimits } from '../limits.ts'
import type { Mask } from '../mask.ts'
import type { TextRelation } from '../relation.ts'
import type { Wish } from '../wish.ts'

/**
 * The messages between the server and the process that runs one query. They are JSON, the simplest format to read
 * safely: the process runs SQL of strangers, so its messages can't be trusted.
 */
export type Question =
  /** Also after the rows of another: its relations then are those of the first. */
  | { readonly kind: 'run'; readonly request: RunRequest }
  | { readonly kind: 'next' }
  /** The SQL of the request is read, and not run. */
  | { readonly kind: 'lineage'; readonly request: RunRequest; readonly known: KnownTables }
  /** The SQL is read, and not run; the relations have these names. */
  | { readonly kind: 'wishes'; readonly request: RunRequest; readonly aliases: readonly string[] }

/** `ready` is sent by itself; each question gets one of the others. `failed` may come at any time, and `progress` before an answer. */
export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'columns'; readonly columns: readonly DataColumn[] }
  | { readonly kind: 'rows'; readonly rows: readonly DataRow[] }
  | { readonly kind: 'lineage'; readonly lineage: StatementLineage }
  | { readonly kind: 'wishes'; readonly wishes: Readonly<Record<string, Wish>> }
  | { readonly kind: 'end'; readonly truncated: boolean; readonly reduced: Reduced | null }
  | { readonly kind: 'progress'; readonly percent: number }
  | { readonly kind: 'failed'; readonly failure: Failure }

export interface RunRequest {
  readonly sql: string
  readonly parameters: SqlParameters
  /** Whether the statement need not name all parameters. */
  readonly isOffer?: boolean | undefined
  readonly relations: readonly NamedRelation[]
  /** A folder of this query alone, for what does not fit the memory. */
  readonly folder: string
  readonly limits: Pick<QueryLimits, 'memoryBytes' | 'maxRows'>
  readonly spillBytes: number
  readonly threads: number
  /** Whether somebody wants to know how far statements are. */
  readonly tellsProgress?: boolean | undefined
  /** Of an answer over time, no more rows than a picture needs. */
  readonly reduction?: Reduction | undefined
}

/** What a picture of rows over time can show. */
export interface Reduction {
  /** Rows of each series; all are answered where there are no more. */
  readonly maxPoints: number
  /** Combinations of the texts in a row; what has others is left out. */
  readonly maxSeries: number
  /** From the left to the right of the picture. */
  readonly spanMs: number
}

/** How many rows there were, and how many of them are answered. */
export interface Reduced {
  readonly from: number
  readonly to: number
}

export interface NamedRelation {
  readonly alias: string
  readonly sql: string
  /** Of files that have to be looked at; `sql` reads them where that finds nothing out. */
  readonly text?: TextRelation | undefined
  readonly files: readonly string[]
  /** What people call what the files are copies of, in the same order. */
  readonly names?: readonly string[] | undefined
  /** What may not be seen of it: SQL gets masks in place of values. */
  readonly mask?: Mask | undefined
}

export interface Failure {
  readonly code: DataErrorCode
  readonly message: string
  /** The only column that can't be read. */
  readonly column?: string
  readonly position?: SqlPosition
}

/** A list for `?` and `$1`, an object for `$name`, of which the SQL need not name all. */
export type SqlParameters = readonly SqlParameter[] | Readonly<Record<string, SqlParameter>>
export type SqlParameter = string | number | boolean | null | readonly string[] | SqlTime

/** A time as a TIMESTAMP in UTC; given as ISO 8601. */
export interface SqlTime {
  readonly timestamp: string
}

export interface DataColumn {
  readonly name: string
  /** The type as DuckDB writes it. */
  readonly type: string
}

/**
 * Whole numbers that a double can't hold, and decimals of more than 15 digits, are texts; so are NaN and the infinities.
 * Times are ISO 8601 in UTC, to the nanosecond where they have such; bytes are Base64; maps are lists of `{key, value}`.
 */
export type DataRow = readonly DataValue[]
export type DataValue = string | number | boolean | null | readonly DataValue[] | { readonly [name: string]: DataValue }
