import { rm } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText } from '../../../../data/relation.ts'
import type { Column } from '../../duckdb/columns.ts'
import type { Segment } from './clean.ts'
import type { FileSourceConfig } from './config.ts'
import type { Explain } from './rejects.ts'
import { writeSegment } from './segments.ts'
import type { FoundTypes } from './types.ts'

const MAX_GROUP_ROWS = 122_880
/** Where lines may be longer, a text is converted a segment at a time. */
export const LONG_LINE_BYTES = 1 << 18

/** An object that is being made a Parquet file. */
export interface Work {
  readonly database: DuckDBConnection
  readonly config: FileSourceConfig
  readonly signal: AbortSignal
  /** Its text in UTF-8. */
  readonly path: string
  /** The Parquet file to be made. */
  readonly to: string
  readonly format: 'csv' | 'tsv' | 'json' | 'ndjson'
  /** The name of a table for this object alone. */
  table(name: 'rejects' | 'gaps' | 'shifts' | 'found'): string
  /** The types that were found in earlier objects. */
  readonly types: FoundTypes
}

/** What has been made. There are tables `gaps`, `shifts` and `rejects` where `hasTables` says so. */
export interface Converted {
  readonly columns: readonly Column[]
  /** What the line of a row is more than its number from 0, where there are no tables. */
  readonly plus: number
  readonly hasTables: boolean
  readonly explain: Explain
  /** Of columns that hold values of several kinds, by their place in `millrace:kinds`. */
  readonly mixed?: readonly MixedColumn[]
  /** Columns that are told and that no record has. */
  readonly absent?: readonly string[]
  /** Whether there are rows that are no records, with `millrace:wrong`. */
  readonly hasWrong?: boolean
  /** How many rows came from 32 MiB of text, where there is so much of it. */
  readonly rowsInGroup: number
  readonly found: FoundTypes
}

export interface MixedColumn {
  readonly name: string
  readonly main: Kind
}

/** What a value of JSON is: a number (n), a text (t), true or false (b), an object or array (j). */
export type Kind = 'n' | 't' | 'b' | 'j'

/** Names of columns by which rows are marked; an object that has them already can't be read. */
export function requireFreeNames(columns: readonly Column[]): void {
  const taken = columns.find(({ name }) => /^millrace:/i.test(name))
  if (taken !== undefined) throw new Error(`it has a column ${taken.name}; names that begin like this are not free`)
}

/** Row groups of about 32 MiB at most, so that a batch of one fits into memory whatever the length of texts. */
export const groupRowsOf = (rowsInGroup: number): number => Math.min(MAX_GROUP_ROWS, rowsInGroup)

/** SQL of a value as the file holds it: Parquet has no HUGEINT, and DuckDB would write a DOUBLE, which loses digits. */
export const heldInFile = (value: string, type: string): string =>
  type === 'HUGEINT' ? `CAST(${value} AS VARCHAR)` : value

export const copy = (select: string, to: string, groupRows: number): string =>
  `COPY (${select}) TO ${sqlText(to)} (FORMAT parquet, COMPRESSION lz4_raw, ROW_GROUP_SIZE ${groupRows})`

export interface Piece extends Segment {
  readonly path: string
  /** How many there are in it, a header included; undefined where each is a line, and nobody has counted them. */
  readonly records: number | undefined
  readonly sizeBytes: number
  readonly isFirst: boolean
}

/** Converts a text a segment at a time, and puts the Parquet files together. */
export async function bySegments(
  { database, to, signal }: Pick<Work, 'database' | 'to' | 'signal'>,
  text: {
    readonly path: string
    readonly sizeBytes: number
    readonly records: number
    readonly segments: readonly Segment[]
    readonly groupRows: number
  },
  convert: (piece: Piece, to: string) => Promise<void>
): Promise<void> {
  const made: string[] = []
  const path = `${text.path}.segment`
  try {
    for (const [i, segment] of text.segments.entries()) {
      const next = text.segments[i + 1]
      const end = next?.byte ?? text.sizeBytes
      const records = (next?.record ?? text.records + 1) - segment.record
      await writeSegment({ path: text.path, from: segment.byte, to: end }, path, signal)
      made.push(`${to}.${i}`)
      await convert({ ...segment, path, records, sizeBytes: end - segment.byte, isFirst: i === 0 }, `${to}.${i}`)
    }
    await database.run(copy(`SELECT * FROM read_parquet([${made.map(sqlText).join(', ')}])`, to, text.groupRows))
  } finally {
    for (const file of [path, ...made]) await rm(file, { force: true })
  }
}
