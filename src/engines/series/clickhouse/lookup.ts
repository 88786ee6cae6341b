import type { TagType } from '../index.ts'
import { type TypeCode, typeOf } from '../parse/type-codes.ts'
import { quote, quoteAll } from './quote.ts'
import { allRows } from './row-binary.ts'
import type { ClickhouseServer } from './server.ts'
import { greater, MIN_NS } from './times.ts'

/** What a source has, apart from points. */
export interface SourceFacts {
  /** Goes up when it is dropped; rows of another one are what remains of the dropped. */
  readonly generation: bigint
  /** It has no points before this, though it may have tags whose points were all older. */
  readonly fromNs: bigint
  /** Types by name, in the order of the names' UTF-8 bytes. */
  readonly tags: ReadonlyMap<string, TagType>
  /** No point of it has a greater version. */
  readonly lastVersion: bigint
}

/** What marks the row of the cutoff among those of tags. */
const NO_TYPE = 255

interface Row {
  readonly generation: bigint
  readonly tag: string
  readonly type: number
  readonly time: bigint
  readonly version: bigint
}

/** Asks for all tags, or those named, in one statement with the cutoff. */
export async function lookUp(
  server: ClickhouseServer,
  sourceId: string,
  tags: readonly string[] | undefined,
  signal?: AbortSignal
): Promise<SourceFacts> {
  const cutoff = `SELECT argMax(generation, version) AS generation_, '' AS tag, toUInt8(${NO_TYPE}) AS type,
    argMax(from_time, version) AS time, max(version) AS newest
    FROM ${server.settings.database}.cutoffs WHERE source = ${quote(sourceId)} HAVING count() > 0`
  const chosen = tags === undefined ? '' : `AND tag IN (${quoteAll(tags)})`
  const known = `SELECT generation AS generation_, tag, argMinMerge(tag_type) AS type, toInt64(0) AS time,
    maxMerge(last_version) AS newest
    FROM ${server.settings.database}.tag_stats WHERE source = ${quote(sourceId)} ${chosen} GROUP BY generation, tag`
  const sql = tags?.length === 0 ? cutoff : `${cutoff} UNION ALL ${known}`
  const rows = await allRows<Row>(await server.select(sql, signal), (row) => ({
    generation: row.uint64(),
    tag: row.text(),
    type: row.uint8(),
    time: row.int64(),
    version: row.uint64()
  }))
  return factsOf(rows)
}

function factsOf(rows: readonly Row[]): SourceFacts {
  const cutoff = rows.find(({ type }) => type === NO_TYPE)
  const generation = cutoff?.generation ?? 0n
  const alive = rows
    .filter((row) => row.type !== NO_TYPE && row.generation === generation)
    .map((row) => ({ name: row.tag, bytes: Buffer.from(row.tag), type: typeOf(row.type as TypeCode) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
  return {
    generation,
    fromNs: cutoff?.time ?? MIN_NS,
    tags: new Map(alive.map(({ name, type }) => [name, type])),
    lastVersion: rows.reduce((greatest, { version }) => greater(version, greatest), 0n)
  }
}
