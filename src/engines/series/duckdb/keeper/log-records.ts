import type { TagType } from '../../index.ts'
import { PointBatch } from '../../parse/points.ts'
import { encodeHeader, frameAt, type Held, isSound } from './log-frame.ts'
import { joinNs } from './tag-table.ts'

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

/** A deleted tag. Its number is never used again, so that leftover points of it belong to no tag. */
export interface RetiredTag {
  readonly id: number
  readonly source: string
}

/** The record at `offset` of its log: a header, and its content in pieces. */
export function encodeRecord(record: LogRecord, offset: number): Uint8Array[] {
  const pieces = record.kind === 'points' ? pointPieces(record.batch) : [Buffer.from(JSON.stringify(contentOf(record)))]
  const held = record.kind === 'points' ? heldIn(record.batch) : NO_POINTS
  return [encodeHeader(record.kind, pieces, offset, held), ...pieces]
}

const NO_POINTS: Held = { points: 0, firstNs: 0n, lastNs: 0n }

function heldIn({ length, days, ns }: PointBatch): Held {
  let first = 0
  let last = 0
  for (let row = 1; row < length; row++) {
    const day = days[row] as number
    const time = ns[row] as number
    if (day < (days[first] as number) || (day === days[first] && time < (ns[first] as number))) first = row
    if (day > (days[last] as number) || (day === days[last] && time > (ns[last] as number))) last = row
  }
  return {
    points: length,
    firstNs: joinNs(days[first] as number, ns[first] as number),
    lastNs: joinNs(days[last] as number, ns[last] as number)
  }
}

function contentOf(record: Exclude<LogRecord, { kind: 'points' }>): unknown {
  if (record.kind === 'tags') return record.tags
  return record.kind === 'drop' ? { source: record.source } : { id: record.id, source: record.source }
}

/** The columns one after the other, as they are in memory; exact values follow as JSON. */
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

/** Reads the record that begins at `offset`; undefined where there is no complete and sound one. */
export function decodeRecord(log: Buffer, offset: number): { record: LogRecord; end: number } | undefined {
  const frame = frameAt(log, offset)
  if (frame === undefined || !isSound(log, frame)) return undefined
  const { kind, begin, end } = frame
  const content = log.subarray(begin, end)
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
  // Copied, because the columns are not aligned in the log.
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
