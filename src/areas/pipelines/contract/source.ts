import type { Column } from '../duckdb/columns.ts'
import type { NodeContext } from './context.ts'

export interface SourceContext<C> extends NodeContext<C> {
  /** What `position` of the last committed batch said; undefined where the run begins at the beginning. */
  readonly position: unknown
  /** Columns that the nodes after it speak of: records that come without a schema are given those they lack. */
  readonly expectedColumns: readonly string[]
  /** Whether columns of which nobody speaks go further than to nodes that leave them out. */
  readonly keepsAllColumns: boolean
  /**
   * The types of all columns after each of the nodes that look at single records, given those of the source; numbers are all
   * one type here. Undefined where a node does not take them.
   */
  typesAfter?(columns: readonly Column[]): Promise<readonly string[] | undefined>
  /** Whether all goes to series and objects: batches that are computed rather than sent may be very large. */
  readonly isBulk: boolean
  /** To be called when a read has succeeded that found nothing new: what went wrong before is over. */
  reached?(): void
}

/**
 * Where records come from. It is asked for the next batch while the last one is being put through, and holds no more than a
 * batch or two beyond that: what it does not take stays where it is.
 */
export interface Source {
  /**
   * The next batch as soon as there is one; `idle` where none came for about `waitMs`, `ended` when there will never be
   * one. Throws a `NodeFault`; a transient one is tried again.
   */
  next(request: { readonly waitMs: number; readonly signal: AbortSignal }): Promise<Batch | 'idle' | 'ended'>
  /** All batches up to the one with this position are committed: what waits for that can be told. */
  committed?(position: unknown): Promise<void>
  /** Whether somebody waits for `committed`, so that it should not take long. */
  readonly isAwaited?: boolean
  /** Whether all that comes while it is not asked comes as one batch, so that it is better asked seldom. */
  readonly gathers?: boolean
  /** How far it is behind what there is to read, where that is known. */
  lagMs?(): number | undefined
  /** How much of what there is to read has been put through, where that is known. */
  progress?(): Progress
  close(): Promise<void>
}

/** `total` is null where there is no end, or it is not known. */
export interface Progress {
  readonly objects: { readonly done: number; readonly total: number | null }
  readonly bytes: { readonly done: number; readonly total: number | null }
}

export interface Batch {
  /** Put through one after the other: usually one; several where fields hold values of several kinds. None where nothing was a record. */
  readonly parts: readonly BatchPart[]
  /** JSON; where a run that resumes goes on after this batch. */
  readonly position: unknown
  /** What was read but is no record; counted as read, and kept as dead letters. */
  readonly rejected?: readonly Rejected[]
  release(): Promise<void>
}

/** Records of a batch whose columns have the same types. */
export interface BatchPart {
  /** A SELECT over tables or files that stay until `release`. It gives the same records in the same order whenever it is run. */
  readonly sql: string
  readonly rows: number
  readonly columns: readonly Column[]
  /**
   * The types of the columns are those of the values in these very records, and nobody has told them: a node that does not take
   * them refuses these records, and other records may be right.
   */
  readonly isLoose?: boolean
  /** The same records in the same order with one more column, `ROW`, by which `originsOf` knows them. */
  readonly numbered?: string
  /** Where records come from, by their `ROW`. */
  originsOf?(rows: readonly number[]): Promise<readonly (Origin | undefined)[]>
}

/** The column that numbers the records of a part, a BIGINT; no column of a user's is called that. */
export const ROW = '"millrace:row"'

/** Where a record came from, so that somebody can look there: `{object: 'object://b/in.csv', line: 17}`. */
export type Origin = Readonly<Record<string, string | number>>

export interface Rejected {
  /** Stable: `not_json`. */
  readonly code: string
  readonly reason: string
  /** JSON text where there is a record, else what was received, cut where it is long. */
  readonly record: string
  readonly origin?: Origin | undefined
  /** The columns that the record had where it was refused: their types are those it is put through again with. */
  readonly columns?: readonly Column[] | undefined
  /** The input of the node that it came from; where there is only one it need not be said. */
  readonly inputId?: string | undefined
}

/** So much of a text that a source can't read as a record is kept, for people to look at. */
export const MAX_RECORD_CHARS = 32_768
