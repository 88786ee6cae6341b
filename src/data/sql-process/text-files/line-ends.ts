import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

const [RETURN, LINE_FEED] = [13, 10]
/** What a file is called whose lines end alike. */
const ALIKE = '.lf'

/** Whether some lines of a text end as on Windows, and others do not. */
export const endsDiffer = (text: string): boolean => text.includes('\r\n') && /[^\r]\n/.test(text)

/** What DuckDB says of that. It has no code for it. */
export const isOfEnds = (error: unknown): boolean =>
  String((error as Error).message).includes('reached an invalid state')

export const pathWithLikeEnds = (file: string): string => `${file}${ALIKE}`
export const pathBefore = (file: string): string => (file.endsWith(ALIKE) ? file.slice(0, -ALIKE.length) : file)

/** Writes the same text with lines that end alike, beside the file, and answers where. */
export async function withLikeEnds(file: string): Promise<string> {
  const path = pathWithLikeEnds(file)
  await pipeline(createReadStream(file), withoutReturns, createWriteStream(path))
  return path
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
