import { quoteAll, quoteText } from '../../clickhouse/quote.ts'
import type { TagType } from '../index.ts'
import { type TypeCode, typeOf } from '../parse/type-codes.ts'
import { allRows } from './row-binary.ts'
import type { ClickhouseServer } from './server.ts'
import { keyOf, nameOf } from './tag-keys.ts'
import { greater, MIN_NS } from './times.ts'

/** What is known of a source beside its points. */
export interface SourceFacts {
  /** Rises when the source is dropped; rows of another generation are leftovers. */
  readonly generation: bigint
  /** The source has no points before this, though it may have tags whose points were all older. */
  readonly fromNs: bigint
  /** Types by name, in the order of the names' UTF-8 bytes. */
  readonly tags: ReadonlyMap<string, TagType>
  /** The version of the last deletion of a tag, by name; for all tags, or for those asked for. */
  readonly deletions: ReadonlyMap<string, bigint>
  /** Whether leftover rows of deleted tags are among those of the others. */
  readonly hasLeftovers: boolean
  /** No point and no deletion of the source has a greater version. */
  readonly lastVersion: bigint
}

/** The type code of rows that are no tags: the cutoff, and deletions. */
const NO_TYPE = 255
const DELETED = 254

interface Row {
  readonly generation: bigint
  readonly tag: string
  readonly type: number
  readonly time: bigint
  readonly version: bigint
}

/**
 * Reads all tags, or those named, with the cutoff and the deletions, in one statement. With an empty list of names it
 * reads all deletions.
 */
export async function lookUp(
  server: ClickhouseServer,
  sourceId: string,
  tags: readonly string[] | undefined,
  signal?: AbortSignal
): Promise<SourceFacts> {
  const cutoff = `SELECT argMax(generation, version) AS generation_, '' AS tag, toUInt8(${NO_TYPE}) AS type,
    argMax(from_time, version) AS time, max(version) AS newest
    FROM ${server.settings.database}.cutoffs WHERE source = ${quoteText(sourceId)} HAVING count() > 0`
  const chosen = tags === undefined || tags.length === 0 ? '' : `AND tag IN (${quoteAll(tags)})`
  const deleted = `SELECT generation AS generation_, tag, toUInt8(${DELETED}) AS type, toInt64(0) AS time,
    max(version) AS newest
    FROM ${server.settings.database}.deleted_tags WHERE source = ${quoteText(sourceId)} ${chosen} GROUP BY generation, tag`
  const known = tags?.length === 0 ? [] : [knownSql(server, sourceId, chosen)]
  const rows = await rowsOf(server, [cutoff, deleted, ...known].join(' UNION ALL '), signal)
  const keys = tags === undefined ? [] : newKeys(rows, tags)
  if (keys.length === 0) return factsOf(rows)
  const others = knownSql(server, sourceId, `AND tag IN (${quoteAll(keys)})`)
  return factsOf([...rows, ...(await rowsOf(server, others, signal))])
}

function knownSql(server: ClickhouseServer, sourceId: string, chosen: string): string {
  return `SELECT generation AS generation_, tag, argMinMerge(tag_type) AS type, toInt64(0) AS time,
    maxMerge(last_version) AS newest
    FROM ${server.settings.database}.tag_stats WHERE source = ${quoteText(sourceId)} ${chosen} GROUP BY generation, tag`
}

/** The keys of tags that were made after one of the same name was deleted: these differ from the name. */
function newKeys(rows: readonly Row[], names: readonly string[]): string[] {
  const wanted = new Set(names)
  return rows
    .filter(({ type, tag }) => type === DELETED && wanted.has(tag))
    .map(({ tag, version }) => keyOf(tag, version))
}

async function rowsOf(server: ClickhouseServer, sql: string, signal: AbortSignal | undefined): Promise<Row[]> {
  return allRows<Row>(await server.select(sql, signal), (row) => ({
    generation: row.uint64(),
    tag: row.text(),
    type: row.uint8(),
    time: row.int64(),
    version: row.uint64()
  }))
}

/** The name and type of a tag that has not been deleted, by its key. */
export function tagOf(facts: SourceFacts, key: string): { name: string; type: TagType } | undefined {
  const name = nameOf(key)
  const type = facts.tags.get(name)
  return type === undefined || keyOf(name, facts.deletions.get(name)) !== key ? undefined : { name, type }
}

function factsOf(rows: readonly Row[]): SourceFacts {
  const cutoff = rows.find(({ type }) => type === NO_TYPE)
  const generation = cutoff?.generation ?? 0n
  const own = rows.filter((row) => row.type !== NO_TYPE && row.generation === generation)
  const deletions = new Map(own.filter(({ type }) => type === DELETED).map(({ tag, version }) => [tag, version]))
  const keys = own
    .filter(({ type }) => type !== DELETED)
    .map(({ tag, type }) => ({ key: tag, name: nameOf(tag), type }))
  const alive = keys
    .filter(({ key, name }) => keyOf(name, deletions.get(name)) === key)
    .map(({ name, type }) => ({ name, bytes: Buffer.from(name), type: typeOf(type as TypeCode) }))
    .sort((a, b) => Buffer.compare(a.bytes, b.bytes))
  return {
    generation,
    fromNs: cutoff?.time ?? MIN_NS,
    tags: new Map(alive.map(({ name, type }) => [name, type])),
    deletions,
    hasLeftovers: alive.length < keys.length,
    lastVersion: rows.reduce((greatest, { version }) => greater(version, greatest), 0n)
  }
}
