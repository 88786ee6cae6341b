import type { DatabaseKind } from '../heads.ts'

/** What the server asks of the process, one question at a time. */
export type Question =
  | { readonly kind: 'open'; readonly database: DatabaseKind; readonly path: string }
  | { readonly kind: 'run'; readonly statement: string }
  | { readonly kind: 'next' }

export type Row = readonly unknown[]

/** `rows` that are none are the end. */
export type Reply =
  | { readonly kind: 'done' }
  | { readonly kind: 'rows'; readonly rows: readonly Row[] }
  | { readonly kind: 'failed'; readonly message: string }

/** A database that a process has open. */
export interface OpenDatabase {
  /** Rows of a statement, in batches. */
  run(statement: string): AsyncIterable<readonly Row[]>
}

/** What went wrong, in words that hold no values of the file. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
}

/** Where the process lists the columns of an SQLite file, for statements that ask for them. */
export const COLUMNS_TABLE = 'temp.millrace_columns'
