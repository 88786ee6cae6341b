import type { PointValue, Tag, TagList, TagPage, TagType } from '../index.ts'
import { type TypeCode, typeOf } from '../parse/type-codes.ts'
import { type Cutoff, cutoffsOf } from './cutoffs.ts'
import { quote, quoteAll } from './quote.ts'
import { allRows, type RowReader } from './row-binary.ts'
import type { ClickhouseServer } from './server.ts'
import { int64, periodOf } from './times.ts'

type TagFacts = Omit<Tag, 'labels'>

/** A page of the tags that have points, from the statistics alone. */
export async function listTags(server: ClickhouseServer, sourceId: string, page: TagPage): Promise<TagList> {
  const cutoff = (await cutoffsOf(server, [sourceId])).get(sourceId) as Cutoff
  const matching = page.q === undefined ? '' : `AND positionCaseInsensitiveUTF8(tag, ${quote(page.q)}) > 0`
  const from = `FROM ${server.settings.database}.tag_stats WHERE ${ofSource(sourceId, cutoff)} ${matching}`
  const having = `GROUP BY tag HAVING maxMerge(last_time) >= ${int64(cutoff.fromNs)}`
  const total = `SELECT count() FROM (SELECT tag ${from} ${having})`
  const after = page.after === undefined ? '' : `AND tag > ${quote(page.after)}`
  const columns = `tag, argMinMerge(tag_type), greatest(minMerge(first_time), ${int64(cutoff.fromNs)}),
    maxMerge(last_time), countMerge(point_count), argMaxMerge(last_value)`
  const sql = `SELECT ${columns} ${from} ${after} ${having} ORDER BY tag LIMIT ${page.limit}`
  const [[count], tags] = await Promise.all([
    rowsOf(server, total, (row) => row.whole()),
    rowsOf<TagFacts>(server, sql, (row) => {
      const [name, type] = [row.text(), typeOf(row.uint8() as TypeCode)]
      const [firstNs, lastNs, pointCount] = [row.int64(), row.int64(), row.whole()]
      return { name, type, firstNs, lastNs, pointCount, lastValue: pointValue(type, row.float64(), row.text()) }
    })
  ])
  const labels = await labelsOf(server, sourceId, cutoff, tags)
  return { tags: tags.map((tag) => ({ ...tag, labels: labels.get(tag.name) ?? {} })), total: count ?? 0 }
}

async function rowsOf<T>(server: ClickhouseServer, sql: string, read: (row: RowReader) => T): Promise<T[]> {
  return allRows(await server.select(sql), read)
}

function pointValue(type: TagType, value: number, text: string): PointValue {
  if (type === 'string') return text
  if (type === 'boolean') return value !== 0
  return text === '' ? value : BigInt(text)
}

/** The statistics that count. */
export function ofSource(sourceId: string, { generation, fromNs }: Cutoff): string {
  const periods = `period >= ${int64(periodOf(fromNs))}`
  return `source = ${quote(sourceId)} AND generation = ${generation} AND ${periods}`
}

async function labelsOf(
  server: ClickhouseServer,
  sourceId: string,
  { generation }: Cutoff,
  tags: readonly TagFacts[]
): Promise<Map<string, Record<string, string>>> {
  if (tags.length === 0) return new Map()
  const sql = `SELECT tag, argMin(labels, version) FROM ${server.settings.database}.labels
    WHERE source = ${quote(sourceId)} AND generation = ${generation} AND tag IN (${quoteAll(tags.map((tag) => tag.name))})
    GROUP BY tag`
  return new Map(await allRows(await server.select(sql), (row) => [row.text(), JSON.parse(row.text())]))
}
