import { isUtf8 } from 'node:buffer'
import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { WindowsLines } from '../../windows-lines.ts'

const [RETURN, LINE_FEED] = [13, 10]
/** What a file is called whose text was written anew. */
const REWRITTEN = '.rewritten'
const CHUNK_BYTES = 1 << 20
const MAX_LINE_BYTES = 16 << 20

/** Whether some lines of a text end as on Windows, and others do not. */
export const endsDiffer = (text: string): boolean => text.includes('\r\n') && /[^\r]\n/.test(text)

export const pathRewritten = (file: string): string => `${file}${REWRITTEN}`
export const pathBefore = (file: string): string => (file.endsWith(REWRITTEN) ? file.slice(0, -REWRITTEN.length) : file)

/** Writes the same text in UTF-8 and with lines that end alike, beside the file, and answers where. */
export async function rewritten(file: string): Promise<string> {
  const path = pathRewritten(file)
  const lines = new WindowsLines()
  await pipeline(createReadStream(file), (chunks) => lines.read(chunks), withoutReturns, createWriteStream(path))
  return path
}

/** Whether a file is all UTF-8. DuckDB notices it late where it is not, and breaks off as a whole. */
export async function isAllUtf8(file: string): Promise<boolean> {
  let before: Buffer = Buffer.alloc(0)
  for await (const chunk of createReadStream(file, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    const bytes = before.length === 0 ? chunk : Buffer.concat([before, chunk])
    const end = bytes.lastIndexOf(LINE_FEED) + 1
    if (!isUtf8(bytes.subarray(0, end))) return false
    before = bytes.subarray(end)
    // A line without an end is no line of CSV.
    if (before.length > MAX_LINE_BYTES) return isUtf8(before)
  }
  return isUtf8(before)
}

async function* withoutReturns(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isOpen = false
  for await (const chunk of chunks) {
    // What a chunk ends with is looked at with the next one.
    const bytes: Buffer = isOpen ? Buffer.concat([Buffer.from([RETURN]), chunk]) : chunk
    isOpen = bytes.at(-1) === RETURN
    yield strip(isOpen ? bytes.subarray(0, -1) : bytes)
  }
  if (isOpen) yield Buffer.from([RETURN])
}

function strip(bytes: Buffer): Buffer {
  if (!bytes.includes(RETURN)) return bytes
  const kept = Buffer.allocUnsafe(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === RETURN && bytes[at + 1] === LINE_FEED) continue
    kept[length++] = bytes[at] as number
  }
  return kept.subarray(0, length)
}
