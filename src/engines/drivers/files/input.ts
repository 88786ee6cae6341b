import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { FileFault, type FileInput } from './formats/format.ts'
import { nameOf } from './formats/name.ts'
import type { FilePlace, FoundFile } from './place.ts'

const MAX_SAVED_BYTES = 4 * 1024 ** 3

/** Files of a place, as formats want them. At most one copy is on this machine at a time. */
export class FileInputs {
  readonly #place: FilePlace
  #folder: string | undefined
  #saved: string | undefined

  constructor(place: FilePlace) {
    this.#place = place
  }

  of(file: FoundFile, signal: AbortSignal): FileInput {
    const bytes = () => unpacked(file.path, this.#place.open(file.path, signal))
    return { path: file.path, bytes, saved: () => this.#save(file, bytes, signal) }
  }

  async close(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true })
    this.#folder = undefined
    this.#saved = undefined
  }

  async #save(file: FoundFile, bytes: () => AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
    this.#folder ??= await mkdtemp(join(tmpdir(), 'millrace-file-'))
    const path = join(this.#folder, 'copy')
    const wanted = `${file.modifiedMs} ${file.path}`
    if (this.#saved === wanted) return path
    this.#saved = undefined
    await pipeline(Readable.from(limited(bytes())), createWriteStream(path), { signal })
    this.#saved = wanted
    return path
  }
}

async function* limited(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > MAX_SAVED_BYTES) throw new FileFault(`larger than ${MAX_SAVED_BYTES} bytes`)
    yield chunk
  }
}

function unpacked(path: string, bytes: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return nameOf(path).isPacked ? gunzipped(bytes) : bytes
}

async function* gunzipped(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 256 * 1024 })
  const done = pipeline(Readable.from(bytes), gunzip)
  // What failed comes with the iteration as well.
  done.catch(() => {})
  try {
    for await (const chunk of gunzip) yield chunk
  } catch (error) {
    const { code } = error as { code?: unknown }
    throw typeof code === 'string' && code.startsWith('Z_') ? new FileFault('no whole gzip file') : error
  } finally {
    gunzip.destroy()
  }
}
