import { readSync } from 'node:fs'
import { Cursor } from './cursor.ts'
import {
  numberIn,
  optionalBytesIn,
  optionalNumberIn,
  optionalStructIn,
  readStruct,
  type Struct,
  structIn,
  structsIn,
  textIn
} from './thrift.ts'

/** The positions of a file's parts. */
export interface Footer {
  readonly rowCount: number
  readonly columns: readonly ColumnInfo[]
  readonly groups: readonly RowGroup[]
}

export interface ColumnInfo {
  readonly name: string
  readonly type: number
  readonly nanoseconds: boolean
}

export interface RowGroup {
  readonly index: number
  readonly firstRow: number
  readonly rowCount: number
  /** One chunk for each column of the file. */
  readonly chunks: readonly ChunkInfo[]
}

/** The pages of one column in one row group. */
export interface ChunkInfo {
  readonly offset: number
  readonly sizeBytes: number
  readonly unpackedBytes: number
  readonly codec: number
  readonly rowCount: number
  readonly nullCount: number | undefined
  /** The largest value, encoded as in the column. */
  readonly max: Uint8Array | undefined
}

const MAGIC = 'PAR1'
const TAIL_BYTES = 8
/** The first read is this long: it holds the footer of most files. */
const GUESS_BYTES = 16_384
const OPTIONAL = 1
const TIMESTAMP = 8
const NANOS = 3

/** `check` gets the bytes before they are parsed. */
export function readFooter(fd: number, fileBytes: number, check?: (footer: Uint8Array) => void): Footer {
  let tail = readAt(fd, Math.max(0, fileBytes - GUESS_BYTES), Math.min(fileBytes, GUESS_BYTES))
  if (tail.length < MAGIC.length + TAIL_BYTES || tail.toString('latin1', tail.length - 4) !== MAGIC) {
    throw new Error('it is no Parquet file, or not a whole one')
  }
  const length = tail.readUInt32LE(tail.length - TAIL_BYTES)
  const start = fileBytes - TAIL_BYTES - length
  if (start < MAGIC.length) throw new Error('its footer is longer than the file')
  if (length + TAIL_BYTES > tail.length) tail = readAt(fd, start, length + TAIL_BYTES)
  const end = tail.length - TAIL_BYTES
  check?.(tail.subarray(end - length))
  return footerOf(readStruct(new Cursor(tail, end - length, end)), start)
}

/** Reads into `into` if that is long enough. */
export function readAt(fd: number, offset: number, length: number, into?: Buffer): Buffer {
  const bytes = into !== undefined && into.length >= length ? into.subarray(0, length) : Buffer.allocUnsafe(length)
  for (let done = 0; done < length; ) {
    const read = readSync(fd, bytes, done, length - done, offset + done)
    if (read === 0) throw new Error('it ends too early')
    done += read
  }
  return bytes
}

function footerOf(file: Struct, dataEnd: number): Footer {
  const columns = structsIn(file, 2).slice(1).map(columnOf)
  let rowCount = 0
  const groups = structsIn(file, 4).map((group, index) => {
    const firstRow = rowCount
    rowCount += numberIn(group, 3)
    const chunks = structsIn(group, 1).map((chunk) => chunkOf(structIn(chunk, 3), dataEnd))
    if (chunks.length !== columns.length) throw new Error('its row groups lack columns')
    if (chunks.some((chunk) => chunk.rowCount !== rowCount - firstRow)) throw new Error('its columns differ in length')
    return { index, firstRow, rowCount: rowCount - firstRow, chunks }
  })
  if (rowCount !== numberIn(file, 3)) throw new Error('its row groups do not have as many rows as the file')
  return { rowCount, columns, groups }
}

function columnOf(element: Struct): ColumnInfo {
  const name = textIn(element, 4)
  if (numberIn(element, 3) !== OPTIONAL) throw new Error(`its column ${name} is not of the expected kind`)
  const logical = optionalStructIn(element, 10)
  const timestamp = logical && optionalStructIn(logical, TIMESTAMP)
  const nanoseconds = timestamp !== undefined && structIn(timestamp, 2).has(NANOS)
  return { name, type: numberIn(element, 1), nanoseconds }
}

function chunkOf(meta: Struct, dataEnd: number): ChunkInfo {
  const offset = optionalNumberIn(meta, 11) ?? numberIn(meta, 9)
  const sizeBytes = numberIn(meta, 7)
  if (offset < MAGIC.length || sizeBytes < 0 || offset + sizeBytes > dataEnd) {
    throw new Error('its footer names places outside of it')
  }
  const statistics = optionalStructIn(meta, 12)
  return {
    offset,
    sizeBytes,
    unpackedBytes: numberIn(meta, 6),
    codec: numberIn(meta, 4),
    rowCount: numberIn(meta, 5),
    nullCount: statistics && optionalNumberIn(statistics, 3),
    max: statistics && optionalBytesIn(statistics, 5)
  }
}
