/** A line of a text, without its end. */
export interface Line {
  readonly text: string
  /** From 1. */
  readonly number: number
  /** What is odd about it, as far as letters go. */
  readonly odd: string | null
}

/** A line that is longer is cut: it is none that anybody meant. */
const MAX_LINE_BYTES = 8 * 1024 * 1024
const NEWLINE = 10
const LATIN = new TextDecoder('windows-1252')
const CUT = `longer than ${MAX_LINE_BYTES} bytes, and cut there`
const NOT_UTF8 = 'not UTF-8; read as Windows-1252'

/** The lines of a text, some at a time. A line that is not UTF-8 is read as Windows-1252, those beside it as they are. */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  let rest: Buffer = Buffer.alloc(0)
  let isSkipping = false
  let count = 0
  for await (const chunk of asUtf8(bytes)) {
    let data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    if (isSkipping) {
      const end = data.indexOf(NEWLINE)
      if (end < 0) continue
      data = data.subarray(end + 1)
      isSkipping = false
    }
    const end = data.lastIndexOf(NEWLINE) + 1
    const lines = end === 0 ? [] : split(data.subarray(0, end - 1), count)
    rest = data.subarray(end)
    if (rest.length > MAX_LINE_BYTES) {
      lines.push(cutLine(rest, count + lines.length + 1))
      rest = Buffer.alloc(0)
      isSkipping = true
    }
    count += lines.length
    if (lines.length > 0) yield lines
  }
  if (rest.length > 0) yield split(rest, count)
}

/** Most blocks are UTF-8 throughout, which is quickly told. */
function split(block: Buffer, before: number): Line[] {
  const text = block.toString('utf8')
  if (!text.includes('\uFFFD')) {
    return text.split('\n').map((line, i) => ({ text: trimmed(line), number: before + i + 1, odd: null }))
  }
  const lines: Line[] = []
  for (let from = 0; from <= block.length; ) {
    const found = block.indexOf(NEWLINE, from)
    const end = found < 0 ? block.length : found
    lines.push(lineOf(block.subarray(from, end), before + lines.length + 1))
    from = end + 1
  }
  return lines
}

function lineOf(bytes: Buffer, number: number): Line {
  const text = bytes.toString('utf8')
  // The sign for what is no letter may have been written as such.
  const isOdd = text.includes('\uFFFD') && !Buffer.from(text).equals(bytes)
  return { text: trimmed(isOdd ? LATIN.decode(bytes) : text), number, odd: isOdd ? NOT_UTF8 : null }
}

const cutLine = (bytes: Buffer, number: number): Line => ({
  ...lineOf(bytes.subarray(0, MAX_LINE_BYTES), number),
  odd: CUT
})

const trimmed = (line: string) => (line.endsWith('\r') ? line.slice(0, -1) : line)

/** Without the mark at the beginning that some programs write, and UTF-16, which that mark tells, as UTF-8. */
export async function* asUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined
  let begun: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of bytes) {
    let data = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    if (begun !== undefined) {
      begun = Buffer.concat([begun, data])
      if (begun.length < 3) continue
      decoder = utf16Of(begun)
      data = begun[0] === 0xef && begun[1] === 0xbb && begun[2] === 0xbf ? begun.subarray(3) : begun
      begun = undefined
    }
    yield decoder === undefined ? data : Buffer.from(decoder.decode(data, { stream: true }))
  }
  if (begun !== undefined && begun.length > 0) yield begun
}

function utf16Of(data: Buffer): TextDecoder | undefined {
  if (data[0] === 0xff && data[1] === 0xfe) return new TextDecoder('utf-16le')
  return data[0] === 0xfe && data[1] === 0xff ? new TextDecoder('utf-16be') : undefined
}
