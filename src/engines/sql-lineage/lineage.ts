/** What a statement reads and writes, and which columns come from which. */
export interface StatementLineage {
  /** The tables it reads, as `KnownTables` spells them, or else as the statement does; the parts of a name have dots between. */
  readonly reads: readonly string[]
  /** The table it writes; null where it only reads. */
  readonly writes: string | null
  /** The columns of its result, or those that it writes, in order. */
  readonly outputs: readonly OutputColumn[]
  /** What decides which rows there are, for all columns of the result. */
  readonly rows: readonly SourceColumn[]
  /** Parts whose lineage is not known. Where there are any, there may be more sources and outputs than are named. */
  readonly notUnderstood: readonly NotUnderstood[]
}

export interface OutputColumn {
  /** `#3` for the third one, where the statement gives it no name and the database makes up one that is not known here. */
  readonly name: string
  readonly from: readonly SourceColumn[]
}

export interface SourceColumn {
  /** One of `reads`. */
  readonly table: string
  readonly column: string
  /**
   * `identity`: the value as it is. `computed`: a value made from it; a cast is one too. The others decide about rows: which
   * there are (`filtered`, `joined`), which make one (`grouped`), which come first (`sorted`). Those of one output are about
   * the rows behind its value, of a window or a subquery, and not about those of the result.
   */
  readonly kind: 'identity' | 'computed' | 'filtered' | 'joined' | 'grouped' | 'sorted'
}

export interface NotUnderstood {
  /** For people: what it is, and where it stands. */
  readonly what: string
}

/** The columns of tables, where they are known: what `SELECT *` and names without a table need. */
export type KnownTables = Readonly<Record<string, readonly string[]>>

/** What is said of a statement of which nothing is known. */
export const nothingKnown = (what: string): StatementLineage => ({
  reads: [],
  writes: null,
  outputs: [],
  rows: [],
  notUnderstood: [{ what }]
})
