import { quoteAll, quoteText } from '../../clickhouse/quote.ts'
import type { PointValue, Tag, TagList, TagPage, TagType } from '../index.ts'
import { type TypeCode, typeOf } from '../parse/type-codes.ts'
import { type Cutoff, cutoffsOf } from './cutoffs.ts'
import { allRows, type RowReader } from './row-binary.ts'
import type { ClickhouseServer } from './server.ts'
import type { ClickhouseSettings } from './settings.ts'
import { aliveSql, NAME_SQL, nameOf } from './tag-keys.ts'
import { int64, periodOf } from './times.ts'

type TagFacts = Omit<Tag, 'labels'> & { readonly key: string }

/** A page of the tags that have points, from the statistics alone. */
export async function listTags(server: ClickhouseServer, sourceId: string, page: TagPage): Promise<TagList> {
  const cutoff = (await cutoffsOf(server, [sourceId])).get(sourceId) as Cutoff
  const name = cutoff.hasDeletions ? NAME_SQL : 'tag'
  const matching = page.q === undefined ? '' : `AND positionCaseInsensitiveUTF8(${name}, ${quoteText(page.q)}) > 0`
  const from = `FROM ${server.settings.database}.tag_stats WHERE ${ofSource(server.settings, sourceId, cutoff)} ${matching}`
  const having = `GROUP BY tag HAVING maxMerge(last_time) >= ${int64(cutoff.fromNs)}`
  const total = `SELECT count() FROM (SELECT tag ${from} ${having})`
  const after = page.after === undefined ? '' : `AND ${name} > ${quoteText(page.after)}`
  const columns = `tag, argMinMerge(tag_type), greatest(minMerge(first_time), ${int64(cutoff.fromNs)}),
    maxMerge(last_time), countMerge(point_count), argMaxMerge(last_value)`
  const sql = `SELECT ${columns} ${from} ${after} ${having} ORDER BY tag LIMIT ${page.limit}`
  const [[count], tags] = await Promise.all([
    rowsOf(server, total, (row) => row.whole()),
    rowsOf<TagFacts>(server, sql, (row) => {
      const [key, type] = [row.text(), typeOf(row.uint8() as TypeCode)]
      const [firstNs, lastNs, pointCount] = [row.int64(), row.int64(), row.whole()]
      return {
        key,
        name: nameOf(key),
        type,
        firstNs,
        lastNs,
        pointCount,
        lastValue: pointValue(type, row.float64(), row.text())
      }
    })
  ])
  const labels = await labelsOf(server, sourceId, cutoff, tags)
  return { tags: tags.map(({ key, ...tag }) => ({ ...tag, labels: labels.get(key) ?? {} })), total: count ?? 0 }
}

async function rowsOf<T>(server: ClickhouseServer, sql: string, read: (row: RowReader) => T): Promise<T[]> {
  return allRows(await server.select(sql), read)
}

function pointValue(type: TagType, value: number, text: string): PointValue {
  if (type === 'string') return text
  if (type === 'boolean') return value !== 0
  return text === '' ? value : BigInt(text)
}

/** The statistics of a source, without expired and deleted rows. */
export function ofSource(settings: ClickhouseSettings, sourceId: string, cutoff: Cutoff): string {
  const own = `source = ${quoteText(sourceId)} AND generation = ${cutoff.generation}`
  const counting = `${own} AND period >= ${int64(periodOf(cutoff.fromNs))}`
  if (!cutoff.hasDeletions) return counting
  const deletions = `FROM ${settings.database}.deleted_tags WHERE ${own}`
  return `${counting} AND ${aliveSql(deletions, settings.cluster !== undefined)}`
}

async function labelsOf(
  server: ClickhouseServer,
  sourceId: string,
  { generation }: Cutoff,
  tags: readonly TagFacts[]
): Promise<Map<string, Record<string, string>>> {
  if (tags.length === 0) return new Map()
  const sql = `SELECT tag, argMin(labels, version) FROM ${server.settings.database}.labels
    WHERE source = ${quoteText(sourceId)} AND generation = ${generation} AND tag IN (${quoteAll(tags.map((tag) => tag.key))})
    GROUP BY tag`
  return new Map(await allRows(await server.select(sql), (row) => [row.text(), JSON.parse(row.text())]))
}
