/** What a statement reads and writes, and which columns come from which. */
export interface StatementLineage {
  /** The tables it reads, as the statement names them. */
  readonly reads: readonly string[]
  /** The table it writes; null where it only reads. */
  readonly writes: string | null
  /** The columns of its result, in order. */
  readonly outputs: readonly OutputColumn[]
  /** What decides which rows there are, for all columns of the result. */
  readonly rows: readonly SourceColumn[]
  /** Parts whose lineage is not known. Where there are any, there may be more sources than are named. */
  readonly notUnderstood: readonly NotUnderstood[]
}

export interface OutputColumn {
  readonly name: string
  readonly from: readonly SourceColumn[]
}

export interface SourceColumn {
  /** One of `reads`. */
  readonly table: string
  readonly column: string
  readonly kind: 'identity' | 'computed' | 'filtered' | 'joined' | 'grouped' | 'sorted'
}

export interface NotUnderstood {
  /** For people: what it is, and where it stands. */
  readonly what: string
}

/** The columns of tables, where they are known: what `SELECT *` and names without a table need. */
export type KnownTables = Readonly<Record<string, readonly string[]>>
