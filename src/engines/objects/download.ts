import type { FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'

/** Bytes on their way out: at hand, from the network, or in a file that the HTTP layer reads the fastest way it can. */
export type DownloadBody = Buffer | Readable | FileSlice

/** Whoever takes it reads it or closes it. */
export class FileSlice {
  readonly file: FileHandle
  readonly start: number
  /** Not included. */
  readonly end: number

  constructor(file: FileHandle, start: number, end: number) {
    this.file = file
    this.start = start
    this.end = end
  }

  close(): Promise<void> {
    return this.file.close()
  }
}

/** For whoever takes bytes as they come. */
export async function* readDownload(body: DownloadBody): AsyncGenerator<Uint8Array> {
  if (Buffer.isBuffer(body)) {
    yield body
    return
  }
  if (!(body instanceof FileSlice)) {
    yield* body
    return
  }
  if (body.start === body.end) return body.close()
  yield* body.file.createReadStream({ start: body.start, end: body.end - 1, highWaterMark: READ_BYTES })
}

const READ_BYTES = 256 * 1024
