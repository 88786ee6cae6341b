import { isAscii, isUtf8 } from 'node:buffer'

const LINE_FEED = 10
const FIRST_BEYOND_ASCII = 0x80
/** A longer line is no record, and need not be held as a whole. */
const MAX_LINE_BYTES = 16 << 20

/**
 * Makes a text UTF-8 line by line: those that are not are taken for Windows-1252, and all others stay as they are. A single
 * line from somewhere else must not change the names of columns, by which levels of secrecy know them.
 */
export class WindowsLines {
  readonly #decoder = new TextDecoder('windows-1252')
  /** Lines that are not UTF-8, and were read as Windows-1252. */
  others = 0
  #hasUtf8 = false

  /** Whether there are lines besides that can only be UTF-8. */
  get isMixed(): boolean {
    return this.#hasUtf8 && this.others > 0
  }

  async *read(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let open: Buffer[] = []
    let openBytes = 0
    for await (const chunk of chunks) {
      const lastEnd = chunk.lastIndexOf(LINE_FEED) + 1
      openBytes += chunk.length
      if (lastEnd === 0 && openBytes <= MAX_LINE_BYTES) {
        open.push(chunk)
        continue
      }
      const end = lastEnd === 0 ? chunk.length : lastEnd
      yield this.#lines(Buffer.concat([...open, chunk.subarray(0, end)]))
      open = [chunk.subarray(end)]
      openBytes = chunk.length - end
    }
    yield this.#lines(Buffer.concat(open))
  }

  /** Lines that read the same either way, which most do, go with those before them. */
  #lines(text: Buffer): Buffer {
    if (isUtf8(text)) {
      this.#hasUtf8 ||= !isAscii(text)
      return text
    }
    const parts: Buffer[] = []
    let from = 0
    let begin = 0
    let isOther = false
    for (let at = 0; at < text.length; at++) {
      const byte = text[at] as number
      if (byte === LINE_FEED) begin = at + 1
      if (byte < FIRST_BEYOND_ASCII) continue
      const end = text.indexOf(LINE_FEED, at) + 1 || text.length
      const isThis = !(mayBeUtf8(byte, text[at + 1]) && isUtf8(text.subarray(begin, end)))
      this.others += Number(isThis)
      this.#hasUtf8 ||= !isThis
      if (isThis !== isOther) {
        parts.push(this.#part(text.subarray(from, begin), isOther))
        from = begin
        isOther = isThis
      }
      begin = end
      at = end - 1
    }
    parts.push(this.#part(text.subarray(from), isOther))
    return Buffer.concat(parts)
  }

  #part(bytes: Buffer, isOther: boolean): Buffer {
    return isOther ? Buffer.from(this.#decoder.decode(bytes)) : bytes
  }
}

/** Whether a character of UTF-8 may begin with these bytes. Most letters of Windows-1252 can't, which saves a closer look. */
const mayBeUtf8 = (first: number, second = 0): boolean =>
  first >= 0xc2 && first <= 0xf4 && second >= 0x80 && second < 0xc0
