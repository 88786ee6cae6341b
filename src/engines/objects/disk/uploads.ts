import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreError } from '../errors.ts'
import type { StoredPart } from '../index.ts'
import { createUploadBody, type UploadBody } from '../upload-body.ts'
import { takeIn } from './content.ts'
import type { Layout } from './layout.ts'
import { newFile } from './new-file.ts'

const READ_BYTES = 256 * 1024

/**
 * Uploads in parts: a folder for each upload, a file for each part. A file is named by the part's number and content,
 * so sending a part again never disturbs an existing one.
 */
export class DiskUploads {
  readonly #layout: Layout

  constructor(layout: Layout) {
    this.#layout = layout
  }

  async start(): Promise<string> {
    const uploadId = newFile()
    await mkdir(this.#folder(uploadId))
    return uploadId
  }

  async putPart(uploadId: string, number: number, body: UploadBody): Promise<StoredPart> {
    const folder = await this.#require(uploadId)
    const temporary = join(folder, `${newFile()}.temporary`)
    try {
      const taken = await takeIn(body, temporary, 0)
      if ('content' in taken) await (await open(temporary, 'wx')).close() // an empty part
      const { md5, sizeBytes } = await body.digests()
      await rename(temporary, join(folder, `${number}-${md5}`))
      return { number, sizeBytes, etag: md5 }
    } catch (error) {
      // The upload was completed or aborted meanwhile, and its folder was removed.
      throw (error as { code?: string }).code === 'ENOENT' ? noSuchUpload() : error
    }
  }

  /** The whole content, read from the parts. */
  async join(uploadId: string, parts: readonly StoredPart[]): Promise<UploadBody> {
    const folder = await this.#require(uploadId)
    const there = new Set(await readdir(folder))
    const files = parts.map(({ number, etag }) => `${number}-${etag}`)
    const missing = files.findIndex((file) => !there.has(file))
    if (missing !== -1) {
      throw new StoreError('invalid_part', `Part ${parts[missing]?.number} is not there; send it again`)
    }
    const sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0)
    return createUploadBody(readOneByOne(files.map((file) => join(folder, file))), { sizeBytes })
  }

  async remove(uploadId: string): Promise<void> {
    await rm(this.#folder(uploadId), { recursive: true, force: true })
  }

  async #require(uploadId: string): Promise<string> {
    const folder = this.#folder(uploadId)
    try {
      await stat(folder)
    } catch {
      throw noSuchUpload()
    }
    return folder
  }

  #folder(uploadId: string): string {
    if (!/^[0-9a-f]+$/.test(uploadId)) throw noSuchUpload()
    return join(this.#layout.uploads, uploadId)
  }
}

async function* readOneByOne(paths: readonly string[]): AsyncGenerator<Buffer> {
  for (const path of paths) yield* createReadStream(path, { highWaterMark: READ_BYTES })
}

function noSuchUpload(): StoreError {
  return new StoreError('no_such_upload', 'There is no such upload; it was completed, given up or has expired')
}
