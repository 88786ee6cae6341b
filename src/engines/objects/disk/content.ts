import { type FileHandle, open, rm } from 'node:fs/promises'
import { StoreError } from '../errors.ts'
import type { UploadBody } from '../upload-body.ts'

/**
 * Takes a content in: what is small is answered as it is, what is not lies in the file when this resolves, flushed.
 * A file that was begun is removed again if the rest does not come.
 */
export async function takeIn(body: UploadBody, path: string, inlineBytes: number): Promise<Buffer | 'in file'> {
  const small: Buffer[] = []
  let bytes = 0
  let file: FileHandle | undefined
  let writing = Promise.resolve()
  try {
    for await (const batch of body.batches()) {
      if (file === undefined) {
        small.push(...batch)
        for (const { length } of batch) bytes += length
        if (bytes <= inlineBytes) continue
        file = await open(path, 'wx')
        writing = writeAll(file, small.splice(0))
        continue
      }
      // While one batch is written the next one is gathered.
      await writing
      writing = writeAll(file, batch)
    }
    await writing
    if (file === undefined) return Buffer.concat(small)
    await file.sync()
    await file.close()
    return 'in file'
  } catch (error) {
    await writing.catch(() => {}) // the same fault, or one that matters less
    await file?.close()
    if (file !== undefined) await rm(path, { force: true })
    throw isFull(error) ? new StoreError('store_full', 'The disk of the server is full', { cause: error }) : error
  }
}

async function writeAll(file: FileHandle, batch: readonly Buffer[]): Promise<void> {
  let left = batch
  while (left.length > 0) {
    const { bytesWritten } = await file.writev(left)
    left = unwritten(left, bytesWritten)
  }
}

function unwritten(batch: readonly Buffer[], written: number): readonly Buffer[] {
  let skip = written
  for (const [i, chunk] of batch.entries()) {
    if (skip < chunk.length) return [chunk.subarray(skip), ...batch.slice(i + 1)]
    skip -= chunk.length
  }
  return []
}

function isFull(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === 'ENOSPC' || code === 'EDQUOT'
}
