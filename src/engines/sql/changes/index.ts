import type { SqlChunk, SqlColumn } from '../index.ts'

/** What became of a row. `snapshot`: it was there when reading began. `truncate`: all rows are gone; there are no values. */
export type ChangeOperation = 'snapshot' | 'insert' | 'update' | 'delete' | 'truncate'

export interface ChangesRead {
  /** `table` or `schema.table`, as for a read. */
  readonly table: string
  /**
   * Who reads: small letters, digits and underscores. The server keeps changes for that name until they are confirmed, so
   * only one reads by it at a time.
   */
  readonly reader: string
  /** `position` of the last chunk that was kept; null to begin with the rows that are there. */
  readonly after: string | null
  readonly signal?: AbortSignal
}

/**
 * Rows that are there, by their keys, and then every change of them in the order of the commits, without end. Applied in this
 * order by their keys, they give the table as it is: a row that changes while the others are being read may come in its new
 * form first, and then once more change by change. A row that gets another key is deleted and inserted.
 */
export interface SqlChanges extends AsyncIterable<ChangesChunk> {
  /** What lies before this position will not be asked for again, and the server may forget it. */
  confirm(position: string): void
}

/**
 * The columns of the table, which may be others from one chunk to the next, and then `CHANGE_COLUMNS`. The first chunk of a
 * new reading has no rows: who keeps its position before taking more misses nothing, whatever becomes of what follows. Who goes
 * on after all rows gets one without rows as soon as the server sends. Later ones say only that there was nothing up to their position.
 */
export interface ChangesChunk extends Omit<SqlChunk, 'cursorAt'> {
  /** The columns that identify a row. */
  readonly keys: readonly string[]
  /** To go on from, as `after`. */
  readonly position: string
}

/** Those for whom the server keeps its log, whether they come back or not. */
export interface SqlReaders {
  /** At most 1,000 whose names begin so. */
  list(prefix: string): Promise<KnownReader[]>
  /** The server keeps nothing for this reader any more; nothing happens where there is none. Who reads by it right now is not stopped. */
  forget(reader: string): Promise<void>
}

export interface KnownReader {
  readonly reader: string
  /** Whether somebody reads by it right now. */
  readonly isActive: boolean
  /** How much of the log is kept for it; null where nothing is any more. */
  readonly keptBytes: number | null
}

/** What every row of a chunk has beside its own values. */
export const CHANGE_COLUMNS: readonly SqlColumn[] = [
  { name: '_op', type: 'text' },
  // Sorts as the commits do, and within one as its changes do; rows of the snapshot come before all changes.
  { name: '_position', type: 'text' },
  // When it was committed; null for rows of the snapshot.
  { name: '_at', type: 'timestamptz' },
  // The row before an update or a delete as a JSON object, where the server tells all of it.
  { name: '_before', type: 'json' },
  // A JSON list of columns that the server did not send, because they are large and have not changed; they read as null.
  { name: '_unchanged', type: 'json' }
]

/** What to do where a position leads nowhere. */
export const BEGIN_ANEW = 'read all rows again (start the pipeline with {"from": "beginning"})'
