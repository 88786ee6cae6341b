import { readCursor, refusedCursor, writeCursor } from '../../http/cursor.ts'
import type { ListRequest } from '../../http/paging.ts'
import { isRecord } from '../../http/sealed-config.ts'

const DEFAULT_LIMIT = 100

interface Named {
  readonly name: string
  readonly id: string
}

/** One page of a list in memory, in the order of names; it goes on after the last one seen. Names may be there twice. */
export function pageOf<T extends Named>(all: readonly T[], request: ListRequest) {
  const { limit = DEFAULT_LIMIT, sort = 'name', cursor } = request
  const sign = sort === '-name' ? -1 : 1
  const compare = (a: Named, b: Named) => sign * (order(a.name, b.name) || order(a.id, b.id))
  const after = cursor === undefined ? undefined : lastIn(cursor, sort)
  const rest = all.filter((one) => after === undefined || compare(one, after) > 0).sort(compare)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  const nextCursor = rest.length > limit && last ? writeCursor({ s: sort, k: last.name, i: last.id }) : null
  return { page, nextCursor }
}

const order = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function lastIn(cursor: string, sort: string): Named {
  const known = readCursor(cursor)
  const isOwn = isRecord(known) && Object.keys(known).join() === 's,k,i' && known.s === sort
  if (isOwn && typeof known.k === 'string' && typeof known.i === 'string') return { name: known.k, id: known.i }
  throw refusedCursor('in the same order')
}
