import type { Folder, ListedObject, Listing, ListQuery } from '../index.ts'
import { RESERVED_PREFIX } from '../key.ts'
import { inOrder, nameOf } from '../remote/entries.ts'
import { type Api, bucketPath } from './api.ts'
import { LISTED_FIELDS, type ObjectResource, toListed } from './resource.ts'

/** The first key after all parts of uploads. */
const AFTER_UPLOADS = '.millrace-uploads0'

export interface Page {
  readonly items?: readonly Omit<ObjectResource, 'generation'>[]
  readonly prefixes?: readonly string[]
  readonly nextPageToken?: string
}

interface Cursor {
  /** The first key to show: all before it were shown, or are hidden. */
  readonly from?: string | undefined
  readonly token?: string | undefined
}

export async function listObjects(api: Api, bucket: string, query: ListQuery): Promise<Listing> {
  let cursor = query.after === undefined ? {} : (JSON.parse(query.after) as Cursor)
  for (;;) {
    const page = await fetchPage(api, bucket, query, cursor)
    const { items = [], prefixes = [] } = page
    const entries = inOrder([...items.map(toListed), ...prefixes.map((folder) => ({ folder }))])
    const shown = entries.filter((entry) => !nameOf(entry).startsWith(RESERVED_PREFIX))
    const next = cursorBehind(page, entries.at(-1), cursor)
    if (next === undefined) return { entries: shown, next }
    if (shown.length > 0) return { entries: shown, next: JSON.stringify(next) }
    cursor = next
  }
}

/** A page of all objects, hidden ones included. */
export function fetchPage(
  api: Api,
  bucket: string,
  { prefix, folders, limit }: Omit<ListQuery, 'after'>,
  { from, token }: Cursor
): Promise<Page> {
  return api.json({
    method: 'GET',
    path: `${bucketPath(bucket)}/o`,
    query: {
      prefix: prefix === '' ? undefined : prefix,
      delimiter: folders ? '/' : undefined,
      maxResults: limit,
      startOffset: from,
      pageToken: token,
      fields: `nextPageToken,prefixes,items(${LISTED_FIELDS})`
    },
    bucket,
    repeatable: true
  })
}

function cursorBehind(
  { nextPageToken }: Page,
  last: ListedObject | Folder | undefined,
  { from }: Cursor
): Cursor | undefined {
  if (nextPageToken === undefined) return undefined
  // Skips all parts at once, because there may be thousands.
  const amongParts = last !== undefined && nameOf(last).startsWith(RESERVED_PREFIX)
  return amongParts && from === undefined ? { from: AFTER_UPLOADS } : { from, token: nextPageToken }
}
