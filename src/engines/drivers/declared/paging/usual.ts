/** Where most services have what leads to the next page, the most telling names first. */
const HOLDERS = [
  '',
  'meta',
  'metadata',
  'pagination',
  'paging',
  'page_info',
  'pageInfo',
  'page',
  'response_metadata',
  'data',
  'meta.pagination',
  'meta.page',
  'info',
  '_metadata',
  '_pagination',
  'result'
]
const CURSORS = [
  'next_cursor',
  'nextCursor',
  'next_page_token',
  'nextPageToken',
  'next_token',
  'nextToken',
  'NextToken',
  'cursors.after',
  'cursor.next',
  'next.after',
  'end_cursor',
  'endCursor',
  'next_page',
  'nextPage',
  'next_offset',
  'next_start',
  'continuation',
  'continuationToken',
  'bookmark',
  'cursor',
  'after',
  'next'
]
const ADDRESSES = [
  'links.next',
  'links.next.href',
  '_links.next.href',
  '_links.next',
  'next',
  'next_url',
  'nextUrl',
  'next_page_url',
  'nextPageUrl',
  'next_link',
  'nextLink',
  '@odata.nextLink',
  'nextPageLink',
  'next.href',
  'next.url',
  'next_page',
  'nextPage'
]

const placed = (names: readonly string[]): readonly (readonly string[])[] =>
  HOLDERS.flatMap((holder) => names.map((name) => [...(holder === '' ? [] : holder.split('.')), ...pathOf(name)]))

/** A name with a dot in it is one name where it begins with `@`. */
const pathOf = (name: string): string[] => (name.startsWith('@') ? [name] : name.split('.'))

export const USUAL_CURSORS = placed(CURSORS)
export const USUAL_ADDRESSES = placed(ADDRESSES)
/** What says in so many words that there is no other page. */
export const MORE = ['has_more', 'hasMore', 'has_next', 'hasNext', 'has_next_page', 'hasNextPage', 'more']
