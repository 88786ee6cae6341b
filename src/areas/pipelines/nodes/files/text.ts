import { createReadStream, createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CsvConfig } from './config.ts'

export type Encoding = NonNullable<CsvConfig['encoding']>

const CHUNK_BYTES = 1 << 20
const GZIP = Buffer.from([0x1f, 0x8b])
const ZSTD = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

const MARKS: readonly (readonly [mark: Buffer, encoding: Encoding])[] = [
  [Buffer.from([0xef, 0xbb, 0xbf]), 'utf-8'],
  [Buffer.from([0xff, 0xfe]), 'utf-16le'],
  [Buffer.from([0xfe, 0xff]), 'utf-16be']
]

/** Unpacks a file in its place, where its first bytes say that it is packed. */
export async function unpack(path: string, signal: AbortSignal): Promise<void> {
  const { createGunzip, createZstdDecompress } = await import('node:zlib')
  const begin = await firstBytes(path, 4)
  if (begin.subarray(0, 2).equals(GZIP)) await rewrite(path, signal, createGunzip())
  else if (begin.equals(ZSTD)) await rewrite(path, signal, createZstdDecompress())
}

export interface FoundEncoding {
  readonly encoding: Encoding
  /** Nobody told it, and no byte order mark says it. */
  readonly isAssumed: boolean
  /** Characters that the encoding does not have stood there, and are � now. */
  readonly isDamaged: boolean
}

/**
 * Makes a file UTF-8 without a byte order mark, with lines that end in \n where all of CSV ended in \r alone. What is not told and
 * says nothing of itself is taken for UTF-8.
 */
export async function toUtf8(
  path: string,
  { told, isCsv }: { readonly told: Encoding | undefined; readonly isCsv: boolean },
  signal: AbortSignal
): Promise<FoundEncoding> {
  const begin = await firstBytes(path, 65_536)
  const mark = MARKS.find(([bytes]) => begin.subarray(0, bytes.length).equals(bytes))
  // A text in JSON begins with a character of ASCII, so that its first bytes tell what others leave open.
  const encoding = chosen(told, mark?.[1] ?? (isCsv ? undefined : utf16In(begin))) ?? 'utf-8'
  if (isCsv && encoding !== 'utf-16le' && encoding !== 'utf-16be') requireText(begin, told)
  const skip = mark !== undefined && mark[1] === encoding ? mark[0].length : 0
  const isOldMac = isCsv && encoding === 'utf-8' && begin.includes(13) && !begin.includes(10)
  let isDamaged = false
  if (encoding !== 'utf-8' || skip > 0 || isOldMac) {
    const decode = decoderOf(encoding)
    await rewrite(path, signal, async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of withoutFirst(chunks, skip)) {
        if (encoding === 'utf-8')
          yield isOldMac ? Buffer.from(chunk.toString('latin1').replaceAll('\r', '\n'), 'latin1') : chunk
        else {
          const text = decode(chunk)
          isDamaged ||= text.includes('�')
          yield Buffer.from(text)
        }
      }
    })
  }
  return { encoding, isAssumed: told === undefined && mark === undefined, isDamaged }
}

/** Where every other byte of the beginning is zero. */
function utf16In(begin: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = begin
  if (first === undefined || second === undefined || (first === 0) === (second === 0)) return undefined
  return second === 0 ? 'utf-16le' : 'utf-16be'
}

/** The first line has the names of columns, in which no byte is zero, as half of them are in UTF-16. */
function requireText(begin: Buffer, told: Encoding | undefined): void {
  const end = begin.indexOf(10)
  if (!begin.subarray(0, end === -1 ? begin.length : end).includes(0)) return
  const likely = utf16In(begin)
  const hint = `tell csv.encoding (${likely ?? 'utf-16le, utf-16be'}), if it is text at all`
  throw new Error(
    `its first line holds bytes that are zero, as UTF-16 without a byte order mark does; ${told === undefined ? hint : `it is not ${told}; ${hint}`}`
  )
}

function chosen(told: Encoding | undefined, marked: Encoding | undefined): Encoding | undefined {
  if (told !== 'utf-16') return told ?? marked
  return marked === 'utf-16be' ? marked : 'utf-16le'
}

/** A decoder of chunk after chunk. For TextDecoder Latin-1 is Windows-1252. */
function decoderOf(encoding: Encoding): (chunk: Buffer) => string {
  if (encoding === 'latin-1') return (chunk) => chunk.toString('latin1')
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  return (chunk) => decoder.decode(chunk, { stream: true })
}

async function* withoutFirst(chunks: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let left = bytes
  for await (const chunk of chunks) {
    yield chunk.subarray(Math.min(left, chunk.length))
    left -= Math.min(left, chunk.length)
  }
}

export async function firstBytes(path: string, count: number): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

type Step = Transform | ((chunks: AsyncIterable<Buffer>) => AsyncIterable<Buffer>)

/** Puts what a step makes of a file in its place. */
export async function rewrite(path: string, signal: AbortSignal, step: Step): Promise<void> {
  const to = `${path}.rewritten`
  const from = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  try {
    await pipeline(from, step as Transform, createWriteStream(to, { highWaterMark: CHUNK_BYTES }), { signal })
    await rename(to, path)
  } finally {
    await rm(to, { force: true })
  }
}
