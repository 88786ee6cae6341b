import { createOutbound } from '../../outbound/index.ts'
import { openSql, type SqlChunk, type SqlDatabase, type SqlRead, type SqlSettings, type SqlValue } from '../index.ts'

/** What differs between the databases that the common suite runs against. */
export interface UnderTest {
  readonly missing: string | undefined
  start(): Promise<RunningServer>
  /** Rows without end, of the column `i`, which counts from 1, and `t`, a text of a thousand characters. */
  readonly endless: string
  /** A query for the number of statements under way, except itself. */
  readonly underWay: string
  /** A statement that takes a minute before its first row. */
  readonly slow: string
  /** A query for the rows of this table that count. */
  latest(table: string): string
  readonly hasTransactions: boolean
  /** The earliest time that can be stored; servers that know only whole seconds keep times as texts. */
  readonly earliestTime: string
  /** Whether there is a column for not-a-number and infinity. */
  readonly hasNonFinite: boolean
}

export interface RunningServer {
  readonly settings: SqlSettings
  readonly certificate?: string
  readonly certifiedName?: string
  /** The folder of its files. */
  readonly folder?: string
  stop(): Promise<void>
  restart(): Promise<void>
}

const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })

export function open(settings: SqlSettings, changes: Partial<SqlSettings> = {}): Promise<SqlDatabase> {
  return openSql({ ...settings, ...changes }, { outbound })
}

export async function readChunks(database: SqlDatabase, request: SqlRead): Promise<SqlChunk[]> {
  const chunks: SqlChunk[] = []
  for await (const chunk of database.read(request)) chunks.push(chunk)
  return chunks
}

/** Each row as an array. */
export async function readRows(database: SqlDatabase, request: SqlRead): Promise<SqlValue[][]> {
  return (await readChunks(database, request)).flatMap(rowsOf)
}

export function rowsOf({ values, rows }: SqlChunk): SqlValue[][] {
  return Array.from({ length: rows }, (_, row) => values.map((column) => column[row] as SqlValue))
}

/** One array per column, as `write` wants it. */
export function columnsOf(rows: readonly (readonly SqlValue[])[], width: number): SqlValue[][] {
  return Array.from({ length: width }, (_, i) => rows.map((row) => row[i] as SqlValue))
}

let tables = 0

export function freshName(): string {
  tables += 1
  return `t${tables}`
}
