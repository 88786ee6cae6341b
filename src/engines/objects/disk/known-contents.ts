import { existsSync, readdirSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { indexLost } from './faults.ts'
import { contentFolders, contentPath, isContentName, type Layout } from './layout.ts'

/**
 * Whether there are contents but no index, so that it was lost: a new store gets its index before the folders of
 * contents.
 */
export function isIndexLost({ index, contents }: Layout): boolean {
  return existsSync(contents) && (statSync(index, { throwIfNoEntry: false })?.size ?? 0) === 0
}

/**
 * Refuses to make a new index where there are contents: new objects would be in the way when the old index is put
 * back.
 */
export function requireIndex(layout: Layout): void {
  if (isIndexLost(layout)) throw indexLost()
}

/** Refuses an index without any object where there are contents that are not about to be removed. */
export function requireKnownContents(layout: Layout, index: DatabaseSync): void {
  if (index.prepare('select 1 from objects limit 1').get() !== undefined) return
  const isLeaving = index.prepare('select 1 from leaving where file = ?')
  for (const file of contentFiles(layout)) if (isLeaving.get(file) === undefined) throw indexLost()
}

/** The names of all content files. */
export function* contentFiles(layout: Layout): Generator<string> {
  for (const folder of contentFolders(layout)) {
    if (!existsSync(folder)) continue
    for (const name of readdirSync(folder)) if (isContentName(name)) yield name
  }
}

export interface UnknownContents {
  readonly count: number
  readonly sizeBytes: number
}

/**
 * Contents that no object has, in at most so many files: an index that is new or of an older state does not know
 * them.
 */
export function unknownContents(layout: Layout, index: DatabaseSync, maxFiles: number): UnknownContents {
  const suspects = new Set<string>()
  const tables = ['arriving', 'leaving', 'block_sums'].filter((table) => hasTable(index, table))
  const isKnown = tables.map((table) => index.prepare(`select 1 from ${table} where file = ?`))
  let looked = 0
  for (const file of contentFiles(layout)) {
    if (looked++ === maxFiles) break
    if (isKnown.every((statement) => statement.get(file) === undefined)) suspects.add(file)
  }
  // Contents of older versions have no checksums yet. Their objects can only be found by reading all rows.
  if (suspects.size > 0) {
    const rows = index.prepare('select file from objects where file is not null').iterate()
    for (const { file } of rows) suspects.delete(file as string)
  }
  let [count, sizeBytes] = [0, 0]
  for (const file of suspects) {
    // The file may have been removed, with its object, since it was seen.
    const size = statSync(contentPath(layout, file), { throwIfNoEntry: false })?.size
    if (size === undefined) continue
    count++
    sizeBytes += size
  }
  return { count, sizeBytes }
}

function hasTable(index: DatabaseSync, name: string): boolean {
  return index.prepare('select 1 from sqlite_schema where name = ?').get(name) !== undefined
}
