import type { Segment } from '../../query/segment.ts'
import type { SealedFact } from '../index-db.ts'
import type { TagRecord } from '../keeper/log-records.ts'
import { byUtf8 } from '../keeper/sources.ts'
import type { Layout } from '../layout.ts'
import type { FileSums } from '../parquet/file-sums.ts'
import { PageCache, SealedFile } from '../parquet/index.ts'

/** Each page is read once here, so the cache only has to hold one row group. */
const CACHE_BYTES = 16 * 1024 * 1024

/** Where the files are, and their checksums. */
export interface Shelf {
  readonly layout: Layout
  sumsOf(path: string): FileSums | undefined
}

export function openFiles({ layout, sumsOf }: Shelf, files: readonly SealedFact[]): SealedFile[] {
  const pages = new PageCache(CACHE_BYTES)
  const opened: SealedFile[] = []
  try {
    for (const { path, day } of files) {
      opened.push(SealedFile.open(layout.absolute(path), day, pages, sumsOf(path)))
    }
    return opened
  } catch (error) {
    for (const file of opened) file.close()
    throw error
  }
}

/** The tags that some files hold points of, without dropped ones. */
export function knownTags(files: readonly SealedFile[], tags: ReadonlyMap<number, TagRecord>): Set<TagRecord> {
  const known = new Set<TagRecord>()
  for (const file of files) {
    for (const id of file.tags().ids) {
      const tag = tags.get(id)
      if (tag !== undefined) known.add(tag)
    }
  }
  return known
}

/** Tags in the order of a file, each once. */
export function byName(tags: Iterable<TagRecord>): TagRecord[] {
  return [...new Set(tags)].sort((a, b) => byUtf8(a.name, b.name))
}

/** The points that each file has of a tag, in the order of the files. */
export function readFrom(files: readonly SealedFile[], tag: number): Segment[] {
  return files.flatMap((file) => {
    const range = file.rangeOf(tag)
    return range === undefined ? [] : [file.read(range)]
  })
}
