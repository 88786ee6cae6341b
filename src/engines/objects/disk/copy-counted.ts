import { constants, rmSync } from 'node:fs'
import { copyFile, open, stat } from 'node:fs/promises'

const CHUNK_BYTES = 4 * 1024 * 1024

/**
 * Copies a file to a free name, and reports its bytes while they are written. Where the file system can share the
 * bytes, it is done at once.
 */
export async function copyCounted(source: string, target: string, onBytes: (count: number) => void): Promise<void> {
  if (await isShared(source, target)) onBytes((await stat(target)).size)
  else await copyChunks(source, target, onBytes)
}

async function isShared(source: string, target: string): Promise<boolean> {
  try {
    await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch {
    return false // a reason that forbids copying too is reported by the copy
  }
}

async function copyChunks(source: string, target: string, onBytes: (count: number) => void): Promise<void> {
  await using from = await open(source, 'r')
  const to = await open(target, 'wx', 0o600)
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    for (;;) {
      const { bytesRead } = await from.read(chunk)
      if (bytesRead === 0) break
      for (let at = 0; at < bytesRead; ) at += (await to.write(chunk, at, bytesRead - at)).bytesWritten
      onBytes(bytesRead)
    }
  } catch (error) {
    rmSync(target, { force: true })
    throw error
  } finally {
    await to.close()
  }
}
