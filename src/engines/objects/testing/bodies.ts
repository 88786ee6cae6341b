import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { createUploadBody, type DownloadBody, FileSlice, readDownload, type UploadBody } from '../index.ts'

export function bodyOf(content: string | Buffer, options: { announced?: boolean } = {}): UploadBody {
  const bytes = Buffer.from(content)
  const sizeBytes = (options.announced ?? true) ? bytes.length : undefined
  return createUploadBody(inPieces(bytes), { sizeBytes })
}

/** Pieces as a socket would give them. */
async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += 65_536) yield bytes.subarray(offset, offset + 65_536)
}

/** A body that arrives in part; then its sender is gone. */
export function brokenBody(bytes: number, announced: boolean): UploadBody {
  async function* pieces() {
    yield Buffer.alloc(bytes, 'x')
    throw new Error('the sender hung up')
  }
  return createUploadBody(pieces(), { sizeBytes: announced ? bytes * 2 : undefined })
}

export async function readAll(body: DownloadBody): Promise<Buffer> {
  if (Buffer.isBuffer(body)) return body
  if (!(body instanceof FileSlice)) return buffer(body)
  return buffer(readDownload(body))
}

export const quotedMd5 = (content: string | Buffer) => `"${createHash('md5').update(content).digest('hex')}"`

/** A prime number of bytes, so that the pattern never lines up with blocks of a store. */
const REPEATED = Buffer.from(Array.from({ length: 65_521 }, (_, i) => (i * 31 + (i >>> 8) * 7) & 0xff))

/** Bytes that differ from place to place, the same every time. */
export function pattern(bytes: number): Buffer {
  return Buffer.alloc(bytes, REPEATED)
}

/** The same pattern with another beginning for each number. */
export function contentOf(number: number, bytes: number): Buffer<ArrayBuffer> {
  return Buffer.concat([Buffer.from(`${number}:`), pattern(bytes)]).subarray(0, bytes) as Buffer<ArrayBuffer>
}
