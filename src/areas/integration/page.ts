import { readCursor, refusedCursor, writeCursor } from '../../http/cursor.ts'
import type { ListRequest } from '../../http/paging.ts'
import { isRecord } from '../../http/sealed-config.ts'

const DEFAULT_LIMIT = 100

/** One page of a list in memory, in the order of names; it goes on after the last one seen. */
export function pageOf<T extends { readonly name: string }>(all: readonly T[], request: ListRequest) {
  const { limit = DEFAULT_LIMIT, sort = 'name', cursor } = request
  const sign = sort === '-name' ? -1 : 1
  const compare = (a: string, b: string) => (a < b ? -sign : a > b ? sign : 0)
  const after = cursor === undefined ? undefined : nameIn(cursor, sort)
  const rest = all
    .filter(({ name }) => after === undefined || compare(name, after) > 0)
    .sort((a, b) => compare(a.name, b.name))
  const page = rest.slice(0, limit)
  const nextCursor = rest.length > limit ? writeCursor({ s: sort, k: page.at(-1)?.name }) : null
  return { page, nextCursor }
}

function nameIn(cursor: string, sort: string): string {
  const known = readCursor(cursor)
  const isOwn = isRecord(known) && Object.keys(known).join() === 's,k' && known.s === sort
  if (isOwn && typeof known.k === 'string') return known.k
  throw refusedCursor('in the same order')
}
