import { crc32 } from 'node:zlib'

export const KINDS = ['tags', 'points', 'drop', 'retire'] as const
export type RecordKind = (typeof KINDS)[number]

/** What a record holds according to its header, which can be read even where the content is damaged. */
export interface Held {
  /** 0 for records that hold no points. */
  readonly points: number
  readonly firstNs: bigint
  readonly lastNs: bigint
}

export interface Frame extends Held {
  readonly kind: RecordKind
  /** The position of the content in the log. */
  readonly begin: number
  readonly end: number
  readonly checksum: number
}

export const HEADER_BYTES = 48
/** Begins every record, so that other bytes are not taken for one. */
const MAGIC = Buffer.from('MRL2')
/** Until 0.3 a header had neither a checksum of its own nor its position; such logs are still read. */
const OLD_MAGIC = Buffer.from('GLRM')
const OLD_HEADER_BYTES = 16

/**
 * The header of a record that begins at `offset`: magic, kind, length and checksum of the content, its own position,
 * what it holds, and a checksum of all this. So a header is recognised wherever reading begins: content that looks
 * like one would have to be at the position that it names.
 */
export function encodeHeader(kind: RecordKind, pieces: readonly Uint8Array[], offset: number, held: Held): Buffer {
  const index = KINDS.indexOf(kind)
  let length = 0
  let checksum = index
  for (const piece of pieces) {
    length += piece.byteLength
    checksum = crc32(piece, checksum)
  }
  const header = Buffer.alloc(HEADER_BYTES)
  MAGIC.copy(header)
  header.writeUInt32LE(index, 4)
  header.writeUInt32LE(length, 8)
  header.writeUInt32LE(checksum, 12)
  header.writeBigUInt64LE(BigInt(offset), 16)
  header.writeBigInt64LE(held.firstNs, 24)
  header.writeBigInt64LE(held.lastNs, 32)
  header.writeUInt32LE(held.points, 40)
  header.writeUInt32LE(crc32(header.subarray(0, 44)), 44)
  return header
}

/** The record whose sound header is at `offset`; its content may go beyond the end of the log, or be damaged. */
export function frameAt(log: Buffer, offset: number): Frame | undefined {
  return newFrameAt(log, offset) ?? oldFrameAt(log, offset)
}

function newFrameAt(log: Buffer, offset: number): Frame | undefined {
  const header = log.subarray(offset, offset + HEADER_BYTES)
  if (header.length < HEADER_BYTES || !header.subarray(0, 4).equals(MAGIC)) return undefined
  if (crc32(header.subarray(0, 44)) !== header.readUInt32LE(44)) return undefined
  const kind = KINDS[header.readUInt32LE(4)]
  if (kind === undefined || header.readBigUInt64LE(16) !== BigInt(offset)) return undefined
  const begin = offset + HEADER_BYTES
  return {
    kind,
    begin,
    end: begin + header.readUInt32LE(8),
    checksum: header.readUInt32LE(12),
    points: header.readUInt32LE(40),
    firstNs: header.readBigInt64LE(24),
    lastNs: header.readBigInt64LE(32)
  }
}

function oldFrameAt(log: Buffer, offset: number): Frame | undefined {
  if (offset + OLD_HEADER_BYTES > log.length || log.compare(OLD_MAGIC, 0, 4, offset, offset + 4) !== 0) return undefined
  const kind = KINDS[log.readUInt32LE(offset + 4)]
  if (kind === undefined) return undefined
  const begin = offset + OLD_HEADER_BYTES
  const end = begin + log.readUInt32LE(offset + 8)
  return { kind, begin, end, checksum: log.readUInt32LE(offset + 12), points: 0, firstNs: 0n, lastNs: 0n }
}

export function isSound(log: Buffer, { kind, begin, end, checksum }: Frame): boolean {
  return end <= log.length && crc32(log.subarray(begin, end), KINDS.indexOf(kind)) === checksum
}

/** The position to go on at when there is no sound record at `offset`; undefined where none follows. */
export function nextFrame(log: Buffer, offset: number): number | undefined {
  const damaged = newFrameAt(log, offset)
  if (damaged !== undefined) return damaged.end < log.length ? damaged.end : undefined
  let at = log.indexOf(MAGIC, offset + 1)
  while (at >= 0 && newFrameAt(log, at) === undefined) at = log.indexOf(MAGIC, at + 1)
  const before = at < 0 ? log.length : at
  for (let old = log.indexOf(OLD_MAGIC, offset + 1); old >= 0 && old < before; old = log.indexOf(OLD_MAGIC, old + 1)) {
    const frame = oldFrameAt(log, old)
    if (frame !== undefined && isSound(log, frame)) return old
  }
  return at < 0 ? undefined : at
}

/**
 * Whether the bytes from `offset` on, after which no record follows, are the beginning of one: a crash has cut it off
 * before it was acknowledged. A record of its full length, or a full header that is not sound, was damaged instead.
 */
export function isTorn(log: Buffer, offset: number): boolean {
  const frame = frameAt(log, offset)
  if (frame !== undefined) return frame.end > log.length
  const rest = log.subarray(offset)
  // A file system may have extended the file with zeros before the power failed.
  return rest.length < HEADER_BYTES || rest.every((byte) => byte === 0)
}

/** What a damaged record held, if its header can still be read. */
export function heldAt(log: Buffer, offset: number): Held | undefined {
  return newFrameAt(log, offset)
}
