import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quoteText } from '../../clickhouse/quote.ts'
import type { TagType } from '../index.ts'
import { lookUp, type SourceFacts, tagOf } from './lookup.ts'
import { ParquetFiles } from './parquet-file.ts'
import { readTags } from './read-tags.ts'
import { allRows } from './row-binary.ts'
import { pointsSql, type Selection } from './select.ts'
import type { ClickhouseServer } from './server.ts'
import { keyOf } from './tag-keys.ts'
import { MAX_NS } from './times.ts'

/**
 * About so many points go into one file; they are read with one statement, whose answer the server holds as a whole.
 */
const FILE_POINTS = 1_000_000
/** How many names one statement may hold. */
const FILE_TAGS = 500

export interface ExportedFiles {
  readonly folder: string
  readonly files: readonly string[]
}

/** Copies the points into a folder of its own, which the caller has to remove. */
export async function exportPoints(
  server: ClickhouseServer,
  sourceId: string,
  tags: readonly string[] | undefined
): Promise<ExportedFiles> {
  const facts = await lookUp(server, sourceId, undefined)
  const counts = await countsOf(server, sourceId, facts)
  const wanted = tags === undefined ? [...facts.tags.keys()] : [...new Set(tags)].filter((tag) => facts.tags.has(tag))
  const folder = await mkdtemp(join(tmpdir(), 'millrace-export-'))
  try {
    const files: string[] = []
    const writer = await ParquetFiles.open(folder)
    try {
      const countOf = (name: string) => counts.get(keyOf(name, facts.deletions.get(name))) ?? 0
      for (const [i, group] of grouped(wanted, countOf).entries()) {
        const file = join(folder, `${i}.parquet`)
        if ((await writer.write(file, pointsOf(server, sourceId, facts, group))) > 0) files.push(file)
      }
    } finally {
      writer.close()
    }
    return { folder, files }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

async function* pointsOf(server: ClickhouseServer, sourceId: string, facts: SourceFacts, names: readonly string[]) {
  const { generation, fromNs, deletions } = facts
  const isNumber = (type: TagType | undefined) => type === 'float' || type === 'boolean'
  const withText = names.some((name) => !isNumber(facts.tags.get(name)))
  const tags = names.map((name) => keyOf(name, deletions.get(name)))
  const selection: Selection = { sourceId, generation, tags, fromNs, toNs: MAX_NS + 1n, withText }
  const body = await server.select(pointsSql(server.settings, selection, undefined))
  yield* readTags(
    body,
    (key) => tagOf(facts, key),
    { isRaw: true, columnCount: 1, textColumns: withText ? [0] : [] },
    undefined
  )
}

async function countsOf(
  server: ClickhouseServer,
  sourceId: string,
  { generation }: SourceFacts
): Promise<Map<string, number>> {
  const sql = `SELECT tag, countMerge(point_count) FROM ${server.settings.database}.tag_stats
    WHERE source = ${quoteText(sourceId)} AND generation = ${generation} GROUP BY tag`
  return new Map(await allRows(await server.select(sql), (row) => [row.text(), row.whole()]))
}

function grouped(tags: readonly string[], countOf: (tag: string) => number): string[][] {
  const groups: string[][] = []
  let points = FILE_POINTS
  for (const tag of tags) {
    if (points >= FILE_POINTS || groups.at(-1)?.length === FILE_TAGS) {
      groups.push([])
      points = 0
    }
    groups.at(-1)?.push(tag)
    points += countOf(tag)
  }
  return groups
}
