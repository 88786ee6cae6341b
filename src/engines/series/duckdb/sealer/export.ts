import { join } from 'node:path'
import { NS_PER_DAY } from '../../parse/points.ts'
import type { Segment } from '../../query/segment.ts'
import type { SealedFact } from '../index-db.ts'
import type { TagRecord } from '../keeper/log-records.ts'
import { splitNs } from '../keeper/tag-table.ts'
import { cut, mergeSegments, segmentOf } from '../memory/segments.ts'
import { unreadable } from '../parquet/file-columns.ts'
import { type FileSums, findDamage } from '../parquet/file-sums.ts'
import { byName, knownTags, openFiles, readFrom, type Shelf } from './merge.ts'
import type { ParquetWriter } from './parquet-writer.ts'
import { partition } from './partitions.ts'
import type { ExportTask } from './tasks.ts'

/**
 * Gives every point of the task in exactly one file: the sealed one where a day has just one, else a copy made for
 * this.
 */
export async function exportDays(task: ExportTask, shelf: Shelf, writer: ParquetWriter): Promise<string[]> {
  const tags = new Map(task.tags.map((tag) => [tag.id, tag]))
  const inMemory = segmentsInMemory(task, tags)
  const cutoff = splitNs(task.fromNs)
  const files = Map.groupBy(task.files, ({ day }) => day)
  const paths: string[] = []
  for (const day of new Set([...files.keys(), ...inMemory.keys()])) {
    if (day < cutoff.day) continue
    const sealed = files.get(day) ?? []
    const fresh = inMemory.get(day)
    if (sealed.length === 1 && fresh === undefined && day > cutoff.day && !holdsAny(shelf, sealed, task.retired)) {
      paths.push(requireSound(shelf, sealed[0] as SealedFact))
      continue
    }
    const path = join(task.folder, `${day}.parquet`)
    const fromNs = day === cutoff.day ? cutoff.ns : 0
    await writeDay({ path, sealed, fresh: fresh ?? new Map(), tags, fromNs, shelf, writer })
    paths.push(path)
  }
  return paths
}

/** Checks a file completely, because its reader does not look at the checksums. */
function requireSound({ layout, sumsOf }: Shelf, { path }: SealedFact): string {
  const absolute = layout.absolute(path)
  const sums = sumsOf(path)
  const damage = sums && damageOf(absolute, sums)
  if (damage !== undefined) throw unreadable(absolute, '', new Error(`it is damaged: ${damage}`))
  return absolute
}

function damageOf(path: string, sums: FileSums): string | undefined {
  try {
    return findDamage(path, sums)
  } catch (error) {
    throw unreadable(path, '', error)
  }
}

/** Whether files hold points of some tags. */
function holdsAny(shelf: Shelf, files: readonly SealedFact[], tags: readonly number[]): boolean {
  if (tags.length === 0) return false
  const opened = openFiles(shelf, files)
  try {
    return opened.some((file) => tags.some((id) => file.rangeOf(id) !== undefined))
  } finally {
    for (const file of opened) file.close()
  }
}

type Fresh = Map<TagRecord, Segment[]>

function segmentsInMemory({ parts }: ExportTask, tags: ReadonlyMap<number, TagRecord>): Map<number, Fresh> {
  const days = new Map<number, Fresh>()
  for (const { slabs, chains, exact } of parts) {
    for (const { day, chains: members } of partition(chains, tags)) {
      const fresh = days.get(day) ?? new Map<TagRecord, Segment[]>()
      days.set(day, fresh)
      for (const { chain, tag } of members) {
        fresh.set(tag, [...(fresh.get(tag) ?? []), segmentOf(slabs, chain, exact)])
      }
    }
  }
  return days
}

interface Day {
  readonly path: string
  readonly sealed: readonly SealedFact[]
  readonly fresh: Fresh
  readonly tags: ReadonlyMap<number, TagRecord>
  readonly fromNs: number
  readonly shelf: Shelf
  readonly writer: ParquetWriter
}

async function writeDay({ path, sealed, fresh, tags, fromNs, shelf, writer }: Day): Promise<void> {
  const opened = openFiles(shelf, sealed)
  const into = await writer.begin()
  try {
    for (const tag of byName([...knownTags(opened, tags), ...fresh.keys()])) {
      const segments = [...readFrom(opened, tag.id), ...(fresh.get(tag) ?? [])]
      into.add(tag.id, tag.name, cut(mergeSegments(segments), fromNs, NS_PER_DAY))
    }
  } finally {
    for (const file of opened) file.close()
  }
  await into.finish(path)
}
