import { zstdDecompressSync } from 'node:zlib'
import { Block, paddedSize } from './block.ts'
import { Cursor } from './cursor.ts'
import { type ChunkInfo, readAt } from './footer.ts'
import { Runs } from './runs.ts'
import { numberIn, readStruct, type Struct, structIn } from './thrift.ts'

export const PLAIN = 0
export const PLAIN_DICTIONARY = 2
export const DELTA_BINARY_PACKED = 5
export const DELTA_LENGTH_BYTE_ARRAY = 6
export const RLE_DICTIONARY = 8
export const BYTE_STREAM_SPLIT = 9

const ENCODINGS = [
  'PLAIN',
  'GROUP_VAR_INT',
  'PLAIN_DICTIONARY',
  'RLE',
  'BIT_PACKED',
  'DELTA_BINARY_PACKED',
  'DELTA_LENGTH_BYTE_ARRAY',
  'DELTA_BYTE_ARRAY',
  'RLE_DICTIONARY',
  'BYTE_STREAM_SPLIT'
]

/** A buffer for packed bytes, which are unpacked at once: new memory would take longer than the reading. */
const PACKED = Buffer.allocUnsafeSlow(1_048_576)

const RLE = 3
const DATA_PAGE = 0
const DICTIONARY_PAGE = 2
const UNCOMPRESSED = 0
const ZSTD = 6

export interface Chunk {
  readonly dictionary: DictionaryPage | undefined
  readonly pages: readonly DataPage[]
}

export interface DictionaryPage {
  readonly block: Block
  readonly count: number
}

export interface DataPage {
  readonly rowCount: number
  readonly valueCount: number
  /** The number of values before each row, and in all; undefined where every row has a value. */
  readonly before: Int32Array | undefined
  readonly encoding: number
  readonly block: Block
  /** The position of the values in the block. */
  readonly start: number
}

export function unsupportedEncoding(encoding: number): Error {
  return new Error(`unsupported encoding ${ENCODINGS[encoding] ?? encoding}`)
}

/** `check` gets the bytes before they are parsed. */
export function readChunk(fd: number, info: ChunkInfo, check?: (packed: Uint8Array) => void): Chunk {
  const packed = readAt(fd, info.offset, info.sizeBytes, PACKED)
  check?.(packed)
  const cursor = new Cursor(packed)
  const pages: DataPage[] = []
  let dictionary: DictionaryPage | undefined
  let rowCount = 0
  while (cursor.pos < cursor.end) {
    const header = readStruct(cursor)
    const block = unpack(info, cursor.take(numberIn(header, 3)), numberIn(header, 2))
    const type = numberIn(header, 1)
    if (type === DICTIONARY_PAGE) dictionary = { block, count: numberIn(structIn(header, 7), 1) }
    else if (type === DATA_PAGE) {
      const page = dataPage(structIn(header, 5), block, info.rowCount - rowCount)
      pages.push(page)
      rowCount += page.rowCount
    } else throw new Error(`unsupported page type ${type}`)
  }
  if (rowCount !== info.rowCount) throw new Error(`its pages have ${rowCount} rows instead of ${info.rowCount}`)
  return { dictionary, pages }
}

function unpack(info: ChunkInfo, packed: Uint8Array, sizeBytes: number): Block {
  if (sizeBytes < 0 || sizeBytes > info.unpackedBytes) throw new Error('its pages are larger than all of them together')
  const bytes = info.codec === UNCOMPRESSED ? Buffer.from(packed) : unzstd(info.codec, packed, sizeBytes)
  if (bytes.length !== sizeBytes) throw new Error('a page is shorter than it says')
  return Block.of(bytes)
}

function unzstd(codec: number, packed: Uint8Array, sizeBytes: number): Buffer {
  if (codec !== ZSTD) throw new Error(`unsupported compression ${codec}`)
  // One output buffer with room after it: zlib would concatenate several by copying.
  const chunkSize = Math.max(64, paddedSize(sizeBytes))
  return zstdDecompressSync(packed, { chunkSize, maxOutputLength: Math.max(1, sizeBytes) })
}

function dataPage(header: Struct, block: Block, maxRows: number): DataPage {
  const rowCount = numberIn(header, 1)
  if (!(rowCount >= 0 && rowCount <= maxRows)) throw new Error(`a page has ${rowCount} rows`)
  if (numberIn(header, 3) !== RLE) throw unsupportedEncoding(numberIn(header, 3))
  if (block.bytes.length < 4) throw new Error('it ends too early')
  const start = 4 + block.view.getUint32(0, true)
  if (start > block.bytes.length) throw new Error('it ends too early')
  const before = valuesBefore(block, start, rowCount)
  const valueCount = before?.[rowCount] ?? rowCount
  return { rowCount, valueCount, before, encoding: numberIn(header, 2), block, start }
}

function valuesBefore(block: Block, end: number, rowCount: number): Int32Array | undefined {
  const levels = new Runs(block, 4, end, 1)
  let before: Int32Array | undefined
  let row = 0
  let values = 0
  levels.visit(new Float64Array([0, 1]), rowCount, (present, count) => {
    if (present === 1 && row === 0 && count === rowCount) return
    before ??= new Int32Array(rowCount + 1)
    for (const last = row + count; row < last; row += 1) {
      before[row] = values
      values += present
    }
    before[row] = values
  })
  return before
}
