import { SourceError } from '../errors.ts'
import type { StreamChunk, StreamRead } from '../index.ts'
import { parseTime } from './times.ts'

const TIME = 'time'

/** Where reading goes on, in nanoseconds since 1970: null from the beginning; refuses to go on by anything but the time. */
export function afterOf(cursor: StreamRead['cursor']): bigint | null {
  if (cursor === undefined) return null
  if (cursor.column !== TIME) throw new SourceError('bad_request', `Reading can go on by ${TIME} only`)
  if (cursor.after === null) return null
  const ns = parseTime(cursor.after)
  if (ns === undefined) throw new SourceError('bad_request', 'A position is a time in UTC, such as 2026-03-01 08:00:00')
  return ns
}

type Records = Omit<StreamChunk, 'position'>

/** Records of one time that wait for the others of it; of more than that, those that are there are given. */
const MAX_WAITING = 10_000

/**
 * Chunks in the order of their first column, the time, as far as they were asked for. With a cursor all that have the same
 * time as the last are among them, and a chunk ends where a time does, so that whoever goes on from its `position`, after
 * whatever has happened, has nothing twice and misses nothing.
 */
export async function* untilLimit(
  chunks: AsyncIterable<Records>,
  request: Pick<StreamRead, 'cursor' | 'limit'>
): AsyncGenerator<StreamChunk> {
  if (request.cursor === undefined) {
    for await (const records of taken(chunks, request)) yield { ...records, position: undefined }
    return
  }
  let waiting: Records | undefined
  let told = request.cursor.after ?? undefined
  for await (const records of taken(chunks, request)) {
    const all: Records = waiting === undefined ? records : joined(waiting, records)
    const times = all.values[0] ?? []
    let start = all.rows - 1
    while (start > 0 && times[start - 1] === times[start]) start -= 1
    if (start > 0) told = String(times[start - 1])
    const end = start > 0 || all.rows <= MAX_WAITING ? start : all.rows - 1
    if (end > 0) yield { ...slice(all, 0, end), position: told }
    waiting = slice(all, end, all.rows)
  }
  if (waiting !== undefined) yield { ...waiting, position: String(waiting.values[0]?.at(-1)) }
}

const joined = (first: Records, { columns, values, rows }: Records): Records => ({
  columns,
  values: values.map((column, at) => [...(first.values[at] ?? []), ...column]),
  rows: first.rows + rows
})

const slice = ({ columns, values }: Records, start: number, end: number): Records => ({
  columns,
  values: values.map((column) => column.slice(start, end)),
  rows: end - start
})

/** The records that were asked for, and with a cursor all that have the same time as the last of them. */
async function* taken(
  chunks: AsyncIterable<Records>,
  { cursor, limit = Number.POSITIVE_INFINITY }: Pick<StreamRead, 'cursor' | 'limit'>
): AsyncGenerator<Records> {
  let count = 0
  let last: unknown
  for await (const { columns, values, rows } of chunks) {
    const times = values[0] ?? []
    let end = Math.min(rows, Math.max(0, limit - count))
    if (cursor !== undefined) while (end < rows && times[end] === (end === 0 ? last : times[end - 1])) end += 1
    if (end > 0) {
      const some = end === rows ? values : values.map((column) => column.slice(0, end))
      last = times[end - 1]
      count += end
      yield { columns, values: some, rows: end }
    }
    if (end < rows || (cursor === undefined && count >= limit)) return
  }
}
