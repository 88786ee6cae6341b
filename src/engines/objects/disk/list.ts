import type { Folder, ListedObject, Listing, ListQuery } from '../index.ts'
import type { IndexClient } from './index-client.ts'
import type { ListedRow } from './index-reader.ts'
import { etagOf } from './writer.ts'

const FEW_ROWS = 16
const MANY_ROWS = 1001

/**
 * One page of a bucket. After a folder the listing jumps to the first key behind it, so a page takes as long in a
 * bucket of millions as in a small one. A cursor is the end of a page: `o` and the key, or `f` and the folder.
 */
export function listObjects(index: IndexClient, bucket: string, query: ListQuery): Listing {
  const { prefix, folders, limit } = query
  const end = successor(prefix)
  const entries: (ListedObject | Folder)[] = []
  let from = startOf(query)
  let wanted = folders ? FEW_ROWS : limit + 1
  while (entries.length <= limit && from !== undefined) {
    const rows: ListedRow[] = index.page(bucket, { from, end, limit: wanted })
    let folder: string | undefined
    for (const row of rows) {
      if (folder !== undefined && row.key.startsWith(folder)) continue
      const slash = folders ? row.key.indexOf('/', prefix.length) : -1
      folder = slash === -1 ? undefined : row.key.slice(0, slash + 1)
      entries.push(folder === undefined ? toListed(row) : { folder })
    }
    if (rows.length < wanted) break
    // A folder that is not over at the end of these rows may go on for millions more, so it is skipped.
    from = folder === undefined ? behind((rows.at(-1) as ListedRow).key) : successor(folder)
    wanted = folder === undefined ? Math.min(wanted * 4, MANY_ROWS) : FEW_ROWS
  }
  if (entries.length <= limit) return { entries, next: undefined }
  entries.length = limit
  const last = entries.at(-1) as ListedObject | Folder
  return { entries, next: 'folder' in last ? `f${last.folder}` : `o${last.key}` }
}

function startOf({ prefix, after }: ListQuery): string | undefined {
  if (after === undefined) return prefix
  return after.startsWith('f') ? successor(after.slice(1)) : behind(after.slice(1))
}

/** The smallest text after a key: no key holds a NUL. */
function behind(key: string): string {
  return `${key}\0`
}

function toListed(row: ListedRow): ListedObject {
  return { key: row.key, sizeBytes: row.size, modifiedAt: row.modified_at, etag: etagOf(row.md5) }
}

/** The first text, in the order of UTF-8, after everything that starts with `prefix`; undefined where there is none. */
export function successor(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number)
  while (points.at(-1) === 0x10ffff) points.pop()
  const last = points.pop()
  if (last === undefined) return undefined
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
}
