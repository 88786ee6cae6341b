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

/**
 * Chunks in the order of their first column, the time, as far as they were asked for. With a cursor all that have the same
 * time as the last are among them, so that nobody who goes on from there misses any; then `position` is that time.
 */
export async function* untilLimit(
  chunks: AsyncIterable<Omit<StreamChunk, 'position'>>,
  { cursor, limit = Number.POSITIVE_INFINITY }: Pick<StreamRead, 'cursor' | 'limit'>
): AsyncGenerator<StreamChunk> {
  let taken = 0
  let last: unknown
  for await (const { columns, values, rows } of chunks) {
    const times = values[0] ?? []
    let end = Math.min(rows, Math.max(0, limit - taken))
    if (cursor !== undefined) while (end < rows && times[end] === (end === 0 ? last : times[end - 1])) end += 1
    if (end > 0) {
      const some = end === rows ? values : values.map((column) => column.slice(0, end))
      last = times[end - 1]
      taken += end
      yield { columns, values: some, rows: end, position: cursor && String(last) }
    }
    if (end < rows || (cursor === undefined && taken >= limit)) return
  }
}
