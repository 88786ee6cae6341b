import type { SelectQueryBuilder } from 'kysely'
import { sql } from 'kysely'
import { readCursor, refusedCursor, writeCursor } from './cursor.ts'
import { StatusAnswer } from './route.ts'
import { Nullable } from './schemas.ts'
import { type TSchema, Type } from './type.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1000
const MAX_TOTAL = 100_000
/** Room for the longest value that a list is sorted by (a data reference), escaped and encoded. */
const MAX_CURSOR_CHARS = 10_000

/** The query parameters of a list: its own filters beside those that every list has. */
export function ListQuery<const S extends readonly [string, ...string[]], F extends Record<string, TSchema>>(
  sorts: S,
  filters: F,
  defaultSort: S[number] | `-${S[number]}` = sorts[0]
) {
  const directions = sorts.flatMap((sort) => [sort, `-${sort}`])
  return Type.Object(
    {
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: MAX_LIMIT, description: 'Items on a page, 100 if not said' })
      ),
      cursor: Type.Optional(
        Type.String({ maxLength: MAX_CURSOR_CHARS, description: 'The `nextCursor` of the page before' })
      ),
      sort: Type.Optional(
        Type.Unsafe<S[number] | `-${S[number]}`>({
          type: 'string',
          enum: directions,
          description: `Order, descending with a minus sign; \`${defaultSort}\` if not said`
        })
      ),
      ...filters
    },
    { additionalProperties: false }
  )
}

export const Search = Type.Optional(
  Type.String({ minLength: 1, maxLength: 200, description: 'Part of the name, in upper or lower case' })
)

/** The answer of a list: `{<plural>: […], total, nextCursor}`. */
export function Page<K extends string, T extends TSchema>(plural: K, item: T) {
  const items = { [plural]: Type.Array(item) } as Record<K, ReturnType<typeof Type.Array<T>>>
  return Type.Object({
    ...items,
    total: Type.Integer({
      minimum: 0,
      description: 'How many there are on all pages when the first one was made; counted to 100,000'
    }),
    nextCursor: Nullable(Type.String({ description: 'Send as `cursor` for the next page; null on the last' }))
  })
}

/** The answer of a list that is a bare array: total and cursor are in headers. */
export function bareList<T>(
  path: string,
  query: ListRequest & Readonly<Record<string, unknown>>,
  items: T[],
  { total, nextCursor }: { total: number; nextCursor: string | null }
): StatusAnswer<T[]> {
  const headers: Record<string, string> = { 'x-total-count': String(total) }
  if (nextCursor !== null) {
    const next = new URLSearchParams(Object.entries({ ...query, cursor: nextCursor }).map(([k, v]) => [k, String(v)]))
    headers.link = `<${path}?${next}>; rel="next"`
  }
  return new StatusAnswer(200, items, headers)
}

interface Cursor {
  /** The sort order that the cursor belongs to. */
  readonly s: string
  /** Sort value and id of the last row seen. */
  readonly k: string | number
  readonly i: string
  /** The total, which is counted for the first page only. */
  readonly t: number
}

export interface ListRequest {
  readonly limit?: number
  readonly cursor?: string
  readonly sort?: string
}

interface Listing<Row> {
  /** API name of a sort → column. The first is the default unless another is named. */
  readonly sorts: Readonly<Record<string, keyof Row & string>>
  /** The column that makes the order total. */
  readonly id: keyof Row & string
  readonly defaultSort?: string
  /** Columns among the sorts that hold whole numbers; the others hold text. */
  readonly integers?: readonly (keyof Row & string)[]
}

/**
 * One page of `query`, which has its filters but no order yet. Pages go on from the last row seen, not from a count of
 * rows, so that they stay right while rows come and go.
 */
export async function fetchPage<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  request: ListRequest,
  listing: Listing<Row>
): Promise<{ rows: Row[]; total: number; nextCursor: string | null }> {
  const sort = request.sort ?? listing.defaultSort ?? (Object.keys(listing.sorts)[0] as string)
  const column = listing.sorts[sort.replace(/^-/, '')] as string
  const direction = sort.startsWith('-') ? 'desc' : 'asc'
  const limit = request.limit ?? DEFAULT_LIMIT
  const isPlace = (listing.integers as readonly string[] | undefined)?.includes(column) ? Number.isSafeInteger : isText
  const cursor = request.cursor === undefined ? undefined : decodeCursor(request.cursor, sort, isPlace)

  let page = query.orderBy(sql.ref(column), direction).limit(limit + 1)
  if (column !== listing.id) page = page.orderBy(sql.ref(listing.id), direction)
  if (cursor !== undefined) {
    const after = sql.raw(direction === 'asc' ? '>' : '<')
    page = page.where(
      sql<boolean>`(${sql.ref(column)}, ${sql.ref(listing.id)}) ${after} (${cursor.k}, ${cursor.i})` as never
    )
  }
  const rows = await page.execute()
  const more = rows.length > limit
  if (more) rows.pop()
  // A first page that holds everything needs no count.
  const total = cursor?.t ?? (more ? await count(query) : rows.length)
  const last = rows.at(-1) as Record<string, string | number> | undefined
  if (!more || last === undefined) return { rows, total, nextCursor: null }
  const next: Cursor = { s: sort, k: last[column] as string | number, i: last[listing.id] as string, t: total }
  return { rows, total, nextCursor: writeCursor(next) }
}

/** Counting stops at `MAX_TOTAL`: the first page of a list must not take longer the longer the list is. */
async function count<DB, TB extends keyof DB, Row>(query: SelectQueryBuilder<DB, TB, Row>): Promise<number> {
  const beyond = await query.clearSelect().select(sql<number>`1`.as('one')).limit(1).offset(MAX_TOTAL).execute()
  if (beyond.length > 0) return MAX_TOTAL
  const counting = query.clearSelect().select(sql<number>`count(*)`.as('total'))
  const [row] = (await counting.execute()) as unknown as { total: number }[]
  return row?.total ?? 0
}

function decodeCursor(text: string, sort: string, isPlace: (value: unknown) => boolean): Cursor {
  const cursor = (readCursor(text) ?? {}) as Cursor
  const known = isPlace(cursor.k) && isText(cursor.i) && Number.isSafeInteger(cursor.t) && cursor.t >= 0
  if (known && cursor.s === sort) return cursor
  throw refusedCursor('in the same order')
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\0')
}

/** A case-insensitive (ASCII) search for part of a text column. */
export function contains(column: string, part: string) {
  const escaped = part.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/[\\%_]/g, '\\$&')
  return sql<boolean>`lower(${sql.ref(column)}) like ${`%${escaped}%`} escape '\\'`
}
