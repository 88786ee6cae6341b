import { once } from 'node:events'
import { createGunzip, type Gunzip } from 'node:zlib'
import { type ErrorCode, Problem } from '../errors.ts'

/** Larger than usual, since with the usual pieces the overhead costs more than the unpacking. */
const PIECE_BYTES = 128 * 1024

/** Unpacks gzip as it arrives, no faster than it is read; other threads do the work. `code` is the refusal of what is none. */
export async function* unpacked(
  packed: AsyncIterable<Uint8Array>,
  code: ErrorCode = 'malformed_points'
): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES })
  void feed(packed, gunzip)
  try {
    yield* gunzip as AsyncIterable<Uint8Array>
  } catch (error) {
    if (error instanceof Problem) throw error
    const detail = 'The body says it is gzip, and is not, or is cut off.'
    throw new Problem(code, { detail, cause: error })
  }
}

/** Written by hand: a stream pipeline would destroy the request on bad gzip, and the caller would get no answer. */
async function feed(packed: AsyncIterable<Uint8Array>, gunzip: Gunzip): Promise<void> {
  try {
    for await (const piece of packed) {
      if (gunzip.destroyed) return
      if (!gunzip.write(piece)) await Promise.race([once(gunzip, 'drain'), once(gunzip, 'close')])
    }
    gunzip.end()
  } catch (error) {
    gunzip.destroy(error as Error)
  }
}
