import { SourceError } from '../errors.ts'
import type { Stream, StreamChunk, StreamColumn, StreamValue } from '../index.ts'

/** The column with the time at which values were read. */
const TIME: StreamColumn = { name: 'time', type: 'timestamptz', nullable: false }

/** Names of columns that are given in a configuration; SQL knows no difference between small and capital letters. */
export function refuseEqualNames(names: readonly string[], pointer: string): void {
  const seen = new Set<string>([TIME.name])
  for (const name of names) {
    if (seen.has(name.toLowerCase()))
      throw new SourceError(
        'bad_request',
        `Two columns would be called ${name}; give each a name of its own, and none of them ${TIME.name}`,
        pointer
      )
    seen.add(name.toLowerCase())
  }
}

/** A stream of current values: each time it is read there is one record, with the time and a column for each value. */
export function pointsStream(name: string, columns: readonly Omit<StreamColumn, 'nullable'>[]): Stream {
  const nullable = columns.map((column) => ({ ...column, nullable: true }))
  return { name, kind: 'points', isReadable: true, columns: [TIME, ...nullable], keys: [], cursors: [] }
}

/** The one record of such a stream. */
export function pointsChunk({ columns }: Stream, values: readonly StreamValue[], timeMs: number): StreamChunk {
  const cells: StreamValue[] = [timestampText(timeMs), ...values]
  return { columns, values: cells.map((cell) => [cell]), rows: 1, position: undefined }
}

/** A time in the form that columns of times have. */
export const timestampText = (timeMs: number): string =>
  `${new Date(timeMs).toISOString().replace('T', ' ').replace('Z', '')}000`

export function unknownStream(name: string): SourceError {
  return new SourceError('not_found', `There is no stream ${JSON.stringify(name)}; discover tells which there are`)
}

/** What has no order to go on by is read as a whole each time. */
export function refuseCursor(cursor: unknown): void {
  if (cursor === undefined) return
  throw new SourceError(
    'bad_request',
    'This stream has current values, and nothing to go on by; read it without a cursor'
  )
}
