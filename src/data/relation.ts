import type { DataReference, Scheme } from './reference.ts'
import type { Wish } from './wish.ts'

/** Makes what references of one scheme name readable for SQL. Refusals are `DataError`s. */
export interface RelationResolver {
  readonly scheme: Scheme
  /** Whether it is worth while to know what a statement needs, because what it fetches is somewhere else and may be large. */
  readonly takesWishes?: boolean
  /** May give more than the wish; all where there is none. */
  resolve(reference: DataReference, place: ResolvePlace, wish?: Wish): Promise<Relation>
}

export interface ResolvePlace {
  /** An empty folder for files of this relation alone, which is removed when the query ends. */
  readonly folder: string
  /** To be called before files are put there: throws where the query as a whole would take more room than it may. */
  claimBytes(sizeBytes: number): void
  readonly signal: AbortSignal
}

export interface Relation {
  /** A SELECT over `files` alone, with all options of the reading functions that matter given. */
  readonly sql: string
  /** Of files that have to be looked at to know how they are to be read; `sql` reads them where that finds nothing out. */
  readonly text?: TextRelation | undefined
  /** Absolute paths. SQL can read these files and no others. */
  readonly files: readonly string[]
  /** What people call what the files are copies of, in the same order; none where they are no copies. */
  readonly names?: readonly string[]
  /** Called once, when nothing reads the files any more. */
  release(): Promise<void>
}

export interface TextRelation {
  readonly reader: 'read_csv' | 'read_json'
  /** Its options, of all files. */
  readonly options: string
  /** What divides the fields of CSV, where that is known. */
  readonly delimiter?: string
}

/** Selects all rows of all files, with the columns of all of them. */
export const selectOf = (reader: string, files: readonly string[], options: string): string =>
  `SELECT * FROM ${reader}(${sqlTexts(files)}, ${['union_by_name = true, hive_partitioning = false', options].filter(Boolean).join(', ')})`

/** A text as an SQL literal. */
export function sqlText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

export function sqlTexts(texts: readonly string[]): string {
  return `[${texts.map(sqlText).join(', ')}]`
}

/** A name as a quoted SQL identifier. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
