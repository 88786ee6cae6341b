import { createWriteStream } from 'node:fs'
import { link, readlink, writeFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { type DownloadBody, FileSlice, readDownload } from './download.ts'

/**
 * Makes a file of all bytes of an object, for somebody who only reads it: where possible the very file that the store has,
 * which is never changed, by another name.
 */
export async function saveDownload(body: DownloadBody, path: string, signal?: AbortSignal): Promise<void> {
  if (Buffer.isBuffer(body)) return writeFile(path, body)
  if (body instanceof FileSlice) {
    await body.check(signal).catch(async (error) => {
      await body.close()
      throw error
    })
    if (await isLinked(body, path)) return body.close()
  }
  await pipeline(readDownload(body), createWriteStream(path), ...(signal === undefined ? [] : [{ signal }]))
}

async function isLinked({ file, start, end }: FileSlice, path: string): Promise<boolean> {
  if (start !== 0 || (await file.stat()).size !== end) return false
  try {
    // The name that Linux has for a file that is open. Elsewhere, and on another disk, there is no link.
    await link(await readlink(`/proc/self/fd/${file.fd}`), path)
    return true
  } catch {
    return false
  }
}
