import { crc32 } from 'node:zlib'
import type { TagType } from '../../index.ts'
import { PointBatch } from '../../parse/points.ts'

/** A tag as the log and the index keep it. */
export interface TagRecord {
  readonly id: number
  readonly source: string
  readonly name: string
  readonly type: TagType
  readonly labels: Readonly<Record<string, string>>
}

export type LogRecord =
  | { readonly kind: 'tags'; readonly tags: readonly TagRecord[] }
  | { readonly kind: 'points'; readonly batch: PointBatch }
  | { readonly kind: 'drop'; readonly source: string }
  | ({ readonly kind: 'retire' } & RetiredTag)

/** A tag that was deleted. Its number is never given again, so that its points belong to nobody, wherever they are. */
export interface RetiredTag {
  readonly id: number
  readonly source: string
}

const KINDS = ['tags', 'points', 'drop', 'retire'] as const
const HEADER_BYTES = 16
/** Begins every record, so that what is not one is not taken for one. */
const MAGIC = 0x4d524c47

/** A record is a header (magic, kind, length, checksum of the rest) and its content in pieces. */
export function encodeRecord(record: LogRecord): Uint8Array[] {
  const pieces = record.kind === 'points' ? pointPieces(record.batch) : [Buffer.from(JSON.stringify(contentOf(record)))]
  let length = 0
  let checksum = KINDS.indexOf(record.kind)
  for (const piece of pieces) {
    length += piece.byteLength
    checksum = crc32(piece, checksum)
  }
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(MAGIC, 0)
  header.writeUInt32LE(KINDS.indexOf(record.kind), 4)
  header.writeUInt32LE(length, 8)
  header.writeUInt32LE(checksum, 12)
  return [header, ...pieces]
}

function contentOf(record: Exclude<LogRecord, { kind: 'points' }>): unknown {
  if (record.kind === 'tags') return record.tags
  return record.kind === 'drop' ? { source: record.source } : { id: record.id, source: record.source }
}

/** Columns one after the other, as they lie in memory; the exact values as JSON at the end. */
function pointPieces({ length, tags, days, ns, values, flags, exact }: PointBatch): Uint8Array[] {
  const count = Buffer.alloc(8)
  count.writeUInt32LE(length, 0)
  const columns = [
    ns.subarray(0, length),
    values.subarray(0, length),
    tags.subarray(0, length),
    days.subarray(0, length)
  ]
  return [
    count,
    ...columns.map((column) => new Uint8Array(column.buffer, column.byteOffset, column.byteLength)),
    flags.subarray(0, length),
    exact.size === 0 ? new Uint8Array(0) : Buffer.from(JSON.stringify(Array.from(exact, exactToJson)))
  ]
}

const exactToJson = ([row, value]: [number, string | bigint]) =>
  typeof value === 'string' ? [row, value] : [row, String(value), 1]

/** Reads the record that begins at `offset`; undefined where none whole does, as at the end of a torn log. */
export function decodeRecord(log: Buffer, offset: number): { record: LogRecord; end: number } | undefined {
  if (offset + HEADER_BYTES > log.length || log.readUInt32LE(offset) !== MAGIC) return undefined
  const kindIndex = log.readUInt32LE(offset + 4)
  const kind = KINDS[kindIndex]
  const begin = offset + HEADER_BYTES
  const end = begin + log.readUInt32LE(offset + 8)
  if (kind === undefined || end > log.length) return undefined
  const content = log.subarray(begin, end)
  if (crc32(content, kindIndex) !== log.readUInt32LE(offset + 12)) return undefined
  if (kind === 'points') return { record: { kind, batch: readPoints(content) }, end }
  const json = JSON.parse(content.toString())
  if (kind === 'tags') return { record: { kind, tags: json }, end }
  return { record: kind === 'drop' ? { kind, source: json.source } : { kind, id: json.id, source: json.source }, end }
}

function readPoints(content: Buffer): PointBatch {
  const batch = new PointBatch()
  const length = content.readUInt32LE(0)
  batch.reserve(length)
  batch.length = length
  let at = 8
  const next = (bytes: number) => {
    at += bytes
    return content.subarray(at - bytes, at)
  }
  // Copied byte by byte: the columns need not lie where their numbers could be read in place.
  for (const [column, bytes] of [
    [batch.ns, 8],
    [batch.values, 8],
    [batch.tags, 4],
    [batch.days, 4],
    [batch.flags, 1]
  ] as const) {
    new Uint8Array(column.buffer, column.byteOffset).set(next(length * bytes))
  }
  if (at < content.length) {
    for (const [row, text, isWhole] of JSON.parse(content.subarray(at).toString()) as [number, string, 1?][]) {
      batch.exact.set(row, isWhole === 1 ? BigInt(text) : text)
    }
  }
  return batch
}
