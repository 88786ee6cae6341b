import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { createUploadBody, type UploadBody } from '../../engines/objects/index.ts'
import { invalidField, Problem } from '../../errors.ts'
import { digestsAsked, requireDigests } from '../../http/digests.ts'

const DEFAULT_TYPE = 'application/octet-stream'

/** The raw body of a request as the content of an object or a part. */
export function rawBody(raw: IncomingMessage, maxBytes: number): UploadBody {
  const announced = raw.headers['content-length']
  const sizeBytes = announced === undefined ? undefined : Number(announced)
  if (sizeBytes !== undefined) refuseLarge(sizeBytes, maxBytes)
  // The iterator must not destroy the request, or its connection could not be used for another.
  const content = raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
  return contentBody(orBroken(content), raw.headers, maxBytes, { sizeBytes, ownsChunks: true })
}

/** A content with a limit to its size, checked against the digests that its sender gave. */
export function contentBody(
  source: AsyncIterable<Uint8Array>,
  headers: IncomingHttpHeaders,
  maxBytes: number,
  known: { sizeBytes?: number | undefined; ownsChunks?: boolean } = {}
): UploadBody {
  const asked = digestsAsked(headers)
  return createUploadBody(source, {
    ...known,
    checkSize: (received) => refuseLarge(received, maxBytes),
    check: (found) => requireDigests(asked, found)
  })
}

function refuseLarge(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return
  const detail = `Objects may have ${maxBytes} bytes (MAX_OBJECT_BYTES); this one is larger.`
  throw new Problem('payload_too_large', { detail })
}

/** A connection that ends before the body does is the sender's fault. */
export async function* orBroken(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('body_incomplete', { cause: error })
  }
}

/** The media type of the upload; an invalid one is refused rather than passed on to browsers later. */
export function contentTypeOf(header: string | undefined): string {
  if (header === undefined || header === '') return DEFAULT_TYPE
  if (header.length <= 255 && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+( *;[ -~]*)?$/.test(header)) return header
  throw invalidField('/headers/content-type', 'must be a media type such as text/csv')
}
