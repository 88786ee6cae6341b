import { gunzipSync } from 'node:zlib'
import { SeriesError } from '../errors.ts'

/** Large pieces: the usual ones cost more than the unpacking. */
const PIECE_BYTES = 256 * 1024

/** The body of a write as it was before it was packed. Refuses what would be larger, before it is. */
export function unpack(body: Uint8Array, gzip: boolean, maxBytes: number): Uint8Array {
  if (!gzip) {
    if (body.length > maxBytes) throw tooLarge(maxBytes)
    return body
  }
  try {
    return gunzipSync(body, { maxOutputLength: maxBytes, chunkSize: Math.min(PIECE_BYTES, Math.max(maxBytes, 64)) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes)
    throw new SeriesError('body_malformed', 'The body says it is gzip, and is not, or is cut off.', {}, error)
  }
}

function tooLarge(maxBytes: number): SeriesError {
  return new SeriesError('body_too_large', `The body has more than ${maxBytes} bytes; send it in parts.`, { maxBytes })
}
