import type { DataReference, Scheme } from './reference.ts'

/** Makes what references of one scheme name readable for SQL. Refusals are `DataError`s. */
export interface RelationResolver {
  readonly scheme: Scheme
  resolve(reference: DataReference, place: ResolvePlace): Promise<Relation>
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
  /** Absolute paths. SQL can read these files and no others. */
  readonly files: readonly string[]
  /** Called once, when nothing reads the files any more. */
  release(): Promise<void>
}

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
