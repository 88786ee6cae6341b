import { once } from 'node:events'
import { createGunzip, type Gunzip } from 'node:zlib'
import { Problem } from '../errors.ts'

/** Larger than usual: the usual pieces cost more than the unpacking. */
const PIECE_BYTES = 128 * 1024

/** What gzip has packed, as it comes and no faster than it is taken; other threads do the work. */
export async function* unpacked(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: PIECE_BYTES })
  void feed(packed, gunzip)
  try {
    yield* gunzip as AsyncIterable<Uint8Array>
  } catch (error) {
    if (error instanceof Problem) throw error
    const detail = 'The body says it is gzip, and is not, or is cut off.'
    throw new Problem('malformed_points', { detail, cause: error })
  }
}

/** By hand: a pipeline would destroy the request with what is wrong in it, and nobody would hear the answer. */
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
