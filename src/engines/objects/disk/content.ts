import { type FileHandle, open, rm } from 'node:fs/promises'
import { BlockSummer } from '../block-sums.ts'
import type { UploadBody } from '../upload-body.ts'

/** The content itself, or the checksums of the file that it is in. */
export type TakenIn = { readonly content: Buffer } | { readonly sums: Uint8Array }

/**
 * Receives content: small content is returned, larger content is in the file, flushed, when this resolves. A file is
 * removed again if the rest does not come.
 */
export async function takeIn(body: UploadBody, path: string, inlineBytes: number): Promise<TakenIn> {
  const summer = new BlockSummer()
  const small: Buffer[] = []
  let bytes = 0
  let file: FileHandle | undefined
  try {
    for await (const batch of body.passingBatches()) {
      if (file !== undefined) {
        const written = writeAll(file, batch)
        for (const chunk of batch) summer.add(chunk)
        await written
        continue
      }
      small.push(...batch)
      for (const { length } of batch) bytes += length
      if (bytes <= inlineBytes) continue
      file = await open(path, 'wx')
      for (const chunk of small) summer.add(chunk)
      await writeAll(file, small.splice(0))
    }
    if (file === undefined) return { content: Buffer.concat(small) }
    await file.sync()
    await file.close()
    return { sums: summer.finish() }
  } catch (error) {
    await file?.close()
    if (file !== undefined) await rm(path, { force: true })
    throw error
  }
}

async function writeAll(file: FileHandle, batch: readonly Buffer[]): Promise<void> {
  let left = batch
  while (left.length > 0) {
    const [only] = left
    const { bytesWritten } = left.length === 1 ? await file.write(only as Buffer) : await file.writev(left)
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
