import { existsSync, readdirSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { indexLost } from './faults.ts'
import { contentFolders, contentPath, isContentName, type Layout } from './layout.ts'

/** Whether contents were kept here once and what says which they are is gone: the index is made before their folders. */
export function isIndexLost({ index, contents }: Layout): boolean {
  return existsSync(contents) && (statSync(index, { throwIfNoEntry: false })?.size ?? 0) === 0
}

/** Refuses to begin anew where there are contents: what is written then would be in the way of an index that is put back. */
export function requireIndex(layout: Layout): void {
  if (isIndexLost(layout)) throw indexLost()
}

/** Refuses an index without any object beside contents that are not on their way out. */
export function requireKnownContents(layout: Layout, index: DatabaseSync): void {
  if (index.prepare('select 1 from objects limit 1').get() !== undefined) return
  const isLeaving = index.prepare('select 1 from leaving where file = ?')
  for (const file of contentFiles(layout)) if (isLeaving.get(file) === undefined) throw indexLost()
}

/** The names of all contents that lie in their places. */
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

/** Contents that no object has, of at most so many files: an index that was lost or is an older one does not know them. */
export function unknownContents(layout: Layout, index: DatabaseSync, maxFiles: number): UnknownContents {
  const suspects = new Set<string>()
  const tables = ['arriving', 'leaving', 'block_sums'].filter((table) => hasTable(index, table))
  const isKnown = tables.map((table) => index.prepare(`select 1 from ${table} where file = ?`))
  let looked = 0
  for (const file of contentFiles(layout)) {
    if (looked++ === maxFiles) break
    if (isKnown.every((statement) => statement.get(file) === undefined)) suspects.add(file)
  }
  // Those of older versions have no checksums yet. There is no way from a file to its object but through all of them.
  if (suspects.size > 0) {
    const rows = index.prepare('select file from objects where file is not null').iterate()
    for (const { file } of rows) suspects.delete(file as string)
  }
  let [count, sizeBytes] = [0, 0]
  for (const file of suspects) {
    // It may have gone, with its object, since it was seen.
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
