import { systemClock } from '../../../clock.ts'
import type { Stream, StreamChunk, StreamValue } from '../../index.ts'
import type { FormatName } from '../formats/index.ts'
import type { FilePlace } from '../place.ts'
import { FilesSource } from '../source.ts'

export interface MemoryFile {
  readonly path: string
  readonly modifiedMs: number
  readonly content: string | Uint8Array
}

/** Files in memory, which come in pieces of so many bytes. */
export function memoryPlace(files: readonly MemoryFile[], pieceBytes = 64 * 1024): FilePlace & { opened: number } {
  return {
    steps: [],
    opened: 0,
    async *list({ matches }) {
      for (const { path, modifiedMs } of files) if (matches(path)) yield { path, modifiedMs }
    },
    async *open(path) {
      this.opened += 1
      const bytes = Buffer.from(files.find((file) => file.path === path)?.content ?? '')
      for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
    },
    grantsFor: () => [],
    close: async () => {}
  }
}

export type Record = { readonly [column: string]: StreamValue }

interface Asked {
  readonly pattern?: string
  readonly format?: FormatName
  readonly after?: string | null
  readonly limit?: number
}

export const openFiles = (place: FilePlace, { pattern = '**', format = 'auto' }: Asked = {}, clock = systemClock) =>
  new FilesSource(place, { patterns: [pattern], format }, clock)

/** All records, and where reading ended. */
export async function recordsOf(source: FilesSource, asked: Asked = {}) {
  const { pattern: stream = '**', after, limit } = asked
  const records: Record[] = []
  let position: string | null = after ?? null
  const cursor = after === undefined ? {} : { cursor: { column: '_position', after } }
  const request = { stream, ...cursor, ...(limit !== undefined && { limit }), signal: AbortSignal.timeout(60_000) }
  for await (const chunk of source.read(request)) {
    records.push(...rowsOf(chunk))
    position = chunk.position ?? position
  }
  return { records, position }
}

function rowsOf({ columns, values, rows }: StreamChunk): Record[] {
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(columns.map(({ name }, i) => [name, values[i]?.[row] ?? null]))
  )
}

export async function streamOf(source: FilesSource): Promise<Stream> {
  const { streams } = await source.discover({ limit: 10, signal: AbortSignal.timeout(60_000) })
  return streams[0] as Stream
}

/** The columns of the files alone. */
export function withoutOwn(record: Record): Record {
  const { _file, _row, _odd, _position, ...rest } = record
  return rest
}
