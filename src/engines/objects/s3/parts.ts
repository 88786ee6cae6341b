import { MAX_PARTS, type UploadBody } from '../index.ts'

const MIB = 1024 * 1024
/** What fits into one goes in one request; with more, one is sent while the next is gathered. */
export const PART_BYTES = 8 * MIB
const FIRST_BUFFER_BYTES = 256 * 1024
const PARTS_OF_ONE_SIZE = 1000

/** The content in parts of one size; larger ones later on, or from the start where the announced size asks for them. */
export async function* partsOf(body: UploadBody): AsyncGenerator<Buffer> {
  let number = 1
  let limit = partBytes(number, body.sizeBytes)
  // Grows, since most contents are far smaller than a part.
  let part: Buffer = Buffer.allocUnsafeSlow(Math.min(limit, body.sizeBytes ?? FIRST_BUFFER_BYTES))
  let filled = 0
  for await (const batch of body.batches()) {
    for (const chunk of batch) {
      for (let offset = 0; offset < chunk.length; ) {
        if (filled === limit) {
          yield part
          limit = partBytes(++number, body.sizeBytes)
          part = Buffer.allocUnsafeSlow(limit)
          filled = 0
        }
        const taken = Math.min(chunk.length - offset, limit - filled)
        if (filled + taken > part.length) part = grown(part, filled, Math.min(limit, 2 * (filled + taken)))
        chunk.copy(part, filled, offset, offset + taken)
        filled += taken
        offset += taken
      }
    }
  }
  yield part.subarray(0, filled)
}

/** So that what nobody announced still has room for 400 GiB in the number of parts that is allowed. */
export function partBytes(number: number, announcedBytes = 0): number {
  const share = Math.ceil(announcedBytes / MAX_PARTS / MIB) * MIB
  return Math.max(share, PART_BYTES * Math.ceil(number / PARTS_OF_ONE_SIZE))
}

function grown(part: Buffer, filled: number, bytes: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(bytes)
  part.copy(larger, 0, 0, filled)
  return larger
}
