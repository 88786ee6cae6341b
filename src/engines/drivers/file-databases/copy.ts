import { createWriteStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SourceError } from '../errors.ts'
import type { Pattern } from '../files/pattern.ts'
import type { FilePlace, FoundFile } from '../files/place.ts'
import { type DatabaseKind, HEAD_BYTES, headFault } from './heads.ts'

const MAX_BYTES = 4 * 1024 ** 3

/** A copy of the file on this machine, made again when the file has changed. Whoever has the one before open keeps it. */
export class DatabaseCopy {
  readonly #place: FilePlace
  readonly #file: Pattern
  readonly #kind: DatabaseKind
  #folder: string | undefined
  #copies = 0
  #saved: { readonly path: string; readonly modifiedMs: number } | undefined

  constructor(place: FilePlace, path: string, kind: DatabaseKind) {
    this.#place = place
    this.#file = { text: path, segments: path.split('/'), prefix: path, matches: (other) => other === path }
    this.#kind = kind
  }

  /** Throws where there is no such file, or it is none of its kind, or it was changed while it was copied. */
  async path(signal: AbortSignal): Promise<string> {
    const found = await this.#find(signal)
    if (this.#saved?.modifiedMs === found.modifiedMs) return this.#saved.path
    const before = this.#saved
    this.#saved = undefined
    this.#folder ??= await mkdtemp(join(tmpdir(), 'millrace-database-'))
    this.#copies += 1
    const path = join(this.#folder, `copy-${this.#copies}`)
    await pipeline(Readable.from(this.#bytes(signal)), createWriteStream(path, { mode: 0o600 }), { signal })
    if (!found.isUntold && (await this.#find(signal)).modifiedMs !== found.modifiedMs) {
      throw new SourceError('unavailable', 'The file was changed while it was copied; try again', '/url')
    }
    await checkHead(path, this.#kind)
    this.#saved = { path, modifiedMs: found.modifiedMs }
    if (before !== undefined) await rm(before.path, { force: true })
    return path
  }

  async close(): Promise<void> {
    if (this.#folder !== undefined) await rm(this.#folder, { recursive: true, force: true })
    this.#folder = undefined
    this.#saved = undefined
  }

  async #find(signal: AbortSignal): Promise<FoundFile> {
    for await (const file of this.#place.list(this.#file, signal)) return file
    throw new SourceError('not_found', 'There is no file of this name', '/url')
  }

  async *#bytes(signal: AbortSignal): AsyncGenerator<Uint8Array> {
    let size = 0
    for await (const bytes of this.#place.open(this.#file.text, signal)) {
      size += bytes.length
      if (size > MAX_BYTES) throw new SourceError('bad_request', `The file is larger than ${MAX_BYTES} bytes`, '/url')
      yield bytes
    }
  }
}

async function checkHead(path: string, kind: DatabaseKind): Promise<void> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const { size } = await file.stat()
    const fault = headFault(kind, buffer.subarray(0, bytesRead), size)
    if (fault !== undefined) throw new SourceError('bad_request', fault, '/url')
  } finally {
    await file.close()
  }
}
