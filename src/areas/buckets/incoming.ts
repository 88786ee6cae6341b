import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { createUploadBody, type UploadBody } from '../../engines/objects/index.ts'
import { invalidField, Problem } from '../../errors.ts'

const DEFAULT_TYPE = 'application/octet-stream'

/** The raw body of a request as the content of an object or a part. */
export function rawBody(raw: IncomingMessage, maxBytes: number): UploadBody {
  const announced = raw.headers['content-length']
  const sizeBytes = announced === undefined ? undefined : Number(announced)
  if (sizeBytes !== undefined) refuseLarge(sizeBytes, maxBytes)
  // A request that is destroyed never ends, and its connection could not be used for another.
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
  const expected = expectedDigests(headers)
  return createUploadBody(source, {
    ...known,
    checkSize: (received) => refuseLarge(received, maxBytes),
    check({ md5, sha256 }) {
      const wrong = (expected.md5 ?? md5) !== md5 || (expected.sha256 ?? sha256) !== sha256
      if (wrong) throw new Problem('checksum_mismatch', { members: { md5, sha256 } })
    }
  })
}

function refuseLarge(bytes: number, maxBytes: number): void {
  if (bytes <= maxBytes) return
  const detail = `Objects may have ${maxBytes} bytes (MAX_OBJECT_BYTES); this one is larger.`
  throw new Problem('payload_too_large', { detail })
}

/** Hexadecimal, from `Content-MD5` and the `sha-256` of `Repr-Digest` or `Content-Digest`. */
function expectedDigests(headers: IncomingHttpHeaders): { md5?: string; sha256?: string } {
  const md5 = headers['content-md5']
  const digest = headers['repr-digest'] ?? headers['content-digest']
  const [, sha256] = /(?:^|[ ,])sha-256=:([A-Za-z0-9+/=]+):/.exec(String(digest ?? '')) ?? []
  return {
    ...(md5 !== undefined && { md5: hexOf(String(md5), 16, '/headers/content-md5') }),
    ...(sha256 !== undefined && { sha256: hexOf(sha256, 32, '/headers/repr-digest') })
  }
}

function hexOf(base64: string, bytes: number, pointer: string): string {
  const digest = Buffer.from(base64, 'base64')
  if (digest.length !== bytes) throw invalidField(pointer, `must be the Base64 of ${bytes} bytes`)
  return digest.toString('hex')
}

/** A connection that ends before the body does is the sender's doing. */
export async function* orBroken(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* source
  } catch (error) {
    if (error instanceof Problem) throw error
    throw new Problem('body_incomplete', { cause: error })
  }
}

/** The media type that was sent along; what is not one is refused rather than passed on to browsers later. */
export function contentTypeOf(header: string | undefined): string {
  if (header === undefined || header === '') return DEFAULT_TYPE
  if (header.length <= 255 && /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+( *;[ -~]*)?$/.test(header)) return header
  throw invalidField('/headers/content-type', 'must be a media type such as text/csv')
}
