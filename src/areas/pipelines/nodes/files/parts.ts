import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlName, sqlText } from '../../../../data/relation.ts'
import { type BatchPart, type Origin, ROW } from '../../contract/source.ts'
import type { Column } from '../../duckdb/columns.ts'
import { METADATA } from './config.ts'
import { JSON_TYPES, ofKind } from './kinds.ts'
import type { ParquetFile } from './parquet.ts'
import type { Places } from './places.ts'
import type { Kind, MixedColumn } from './work.ts'

/** Parts of a batch, one for each combination of kinds of values. Where there are more, the batch ends earlier. */
const MAX_PARTS = 64

/** The records of an object, and how they become batches. */
export interface Records {
  readonly database: DuckDBConnection
  readonly parquet: ParquetFile
  readonly places: Places
  originOf(line: number): Origin
  /** In the file. */
  readonly columns: readonly Column[]
  /** What they are made of where that is not the column of their name. */
  readonly casts: ReadonlyMap<string, string>
  /** Columns that records of this object lack: told ones, and those that the pipeline speaks of. */
  readonly missing: readonly Column[]
  readonly mixed: readonly MixedColumn[]
  readonly hasWrong: boolean
  readonly isLoose: boolean
  /** The key, where records get it. */
  readonly metadata: string | undefined
}

export async function borderOf({ database, parquet, mixed }: Records, from: number): Promise<number> {
  const to = parquet.border(from)
  if (mixed.length === 0 || to === from) return to
  const answer = await database.runAndReadAll(
    `SELECT min(${ROW}) AS begins FROM (${parquet.select(from, to)}) GROUP BY "millrace:kinds" ORDER BY begins LIMIT 1 OFFSET ${MAX_PARTS}`
  )
  return answer.currentRowCount === 0 ? to : Number(answer.value(0, 0))
}

export async function partsOf(records: Records, from: number, to: number): Promise<BatchPart[]> {
  const { parquet, mixed, hasWrong } = records
  if (from === to) return []
  if (mixed.length === 0 && !hasWrong) return [partOf(records, { from, to, rows: to - from, kinds: undefined })]
  const kinds = mixed.length === 0 ? "''" : '"millrace:kinds"'
  const answer = await records.database.runAndReadAll(
    `SELECT ${kinds} AS kinds, count(*) FROM (${parquet.selectPlain(from, to)})${hasWrong ? ' WHERE "millrace:wrong" IS NULL' : ''} GROUP BY kinds ORDER BY kinds`
  )
  return answer.getRows().map(([text, rows]) => partOf(records, { from, to, rows: Number(rows), kinds: String(text) }))
}

interface Range {
  readonly from: number
  readonly to: number
  readonly rows: number
  /** As in `millrace:kinds`. */
  readonly kinds: string | undefined
}

function partOf(records: Records, { from, to, rows, kinds = '' }: Range): BatchPart {
  const { parquet, places, mixed, hasWrong, isLoose } = records
  const columns = columnsFor(records, kinds)
  const list = columns.map(({ sql }) => sql).join(', ')
  const conditions = [
    ...(mixed.length === 0 ? [] : [`"millrace:kinds" = ${sqlText(kinds)}`]),
    ...(hasWrong ? ['"millrace:wrong" IS NULL'] : [])
  ]
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  const numbered =
    records.metadata === undefined
      ? parquet.select(from, to)
      : places.select(parquet.select(from, to), ROW, '"millrace:line"')
  const plain = records.metadata === undefined ? parquet.selectPlain(from, to) : numbered
  return {
    sql: `SELECT ${list} FROM (${plain})${where}`,
    rows,
    columns: columns.map(({ name, type }) => ({ name, type })),
    ...(isLoose && { isLoose }),
    numbered: `SELECT ${list}, ${ROW} FROM (${numbered})${where}`,
    originsOf: async (asked) => (await places.linesOf(asked)).map((line) => records.originOf(line))
  }
}

/** With the SQL that each is made of. */
function columnsFor(records: Records, kinds: string): (Column & { readonly sql: string })[] {
  const { columns, casts, missing, mixed, metadata } = records
  const others = new Map<string, Kind>(
    kinds.split(' ').flatMap((one) => (one === '' ? [] : [[one.slice(0, -1), one.slice(-1) as Kind]]))
  )
  const kindOf = new Map(mixed.map(({ name, main }, i) => [name, others.get(String(i)) ?? main]))
  const taken = metadata === undefined ? [] : METADATA
  const there = columns
    .filter(({ name }) => !taken.includes(name.toLowerCase()))
    .map(({ name, type }) => {
      const kind = kindOf.get(name)
      if (kind !== undefined) return { name, type: JSON_TYPES[kind], sql: ofKind(name, kind) }
      if (type === '"NULL"') return { name, type, sql: `NULL AS ${sqlName(name)}` }
      return { name, type, sql: casts.get(name) ?? sqlName(name) }
    })
  const lacking = missing.map(({ name, type }) => {
    return { name, type, sql: `${type === '"NULL"' ? 'NULL' : `NULL::${type}`} AS ${sqlName(name)}` }
  })
  if (metadata === undefined) return [...there, ...lacking]
  return [
    ...there,
    ...lacking,
    { name: '_object', type: 'VARCHAR', sql: `${sqlText(metadata)} AS _object` },
    { name: '_line', type: 'BIGINT', sql: `"millrace:line" AS _line` }
  ]
}
