import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../errors.ts'

const MEMORY_BYTES = 256 * 1024

/** Content that waits until its target is known: in memory while it is small, then in a file. */
export interface Spooled {
  read(): AsyncIterable<Uint8Array>
  readonly sizeBytes: number
  remove(): Promise<void>
}

export async function spool(source: AsyncIterable<Uint8Array>, folder: string): Promise<Spooled> {
  const chunks: Uint8Array[] = []
  const path = join(folder, randomBytes(16).toString('hex'))
  const remove = () => rm(path, { force: true })
  let sizeBytes = 0
  let file: FileHandle | undefined
  try {
    for await (const chunk of source) {
      chunks.push(chunk)
      sizeBytes += chunk.length
      if (sizeBytes <= MEMORY_BYTES) continue
      file ??= await create(path, folder)
      await file.writeFile(Buffer.concat(chunks.splice(0)))
    }
  } catch (error) {
    await file?.close()
    await remove()
    throw isFull(error) ? new Problem('store_full', { cause: error }) : error
  }
  await file?.close()
  const read = () => (file === undefined ? fromMemory(chunks) : createReadStream(path, { highWaterMark: MEMORY_BYTES }))
  return { read, sizeBytes, remove }
}

async function create(path: string, folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true })
  return open(path, 'wx')
}

function isFull(error: unknown): boolean {
  const { code } = error as { code?: string }
  return code === 'ENOSPC' || code === 'EDQUOT'
}

async function* fromMemory(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}
