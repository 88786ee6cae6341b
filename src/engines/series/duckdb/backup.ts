import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { constants, copyFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { CHECKSUMS } from './index-db.ts'
import { lastLog, sealedOf } from './inspect.ts'
import { encodeAll, replayLog } from './keeper/log.ts'
import type { LogRecord } from './keeper/log-records.ts'
import { describeLost } from './keeper/lost.ts'
import { type Layout, layoutOf } from './layout.ts'
import { FileSums, findDamage } from './parquet/file-sums.ts'
import { removeFile } from './sealer/sealed-files.ts'

const ALL_PAGES = 2 ** 31 - 1
/** Each attempt copies only what is new, so it succeeds even while the engine merges all the time. */
const MAX_ATTEMPTS = 20

/** Why the points can't be copied, as a sentence without a full stop. */
export class PointsFault extends Error {}

export interface Amount {
  readonly count: number
  readonly sizeBytes: number
}

export interface SeriesBackup {
  readonly folder: string
  /** A new folder, with the same layout as the engine's, without files under way. Nothing is flushed. */
  readonly target: string
  /** Called with the number of files copied, and of all; both change where files are merged meanwhile. */
  onProgress(done: Amount, all: Amount): void
}

/** A file that is gone, because it was merged into another one or was lost. */
class Vanished extends Error {
  readonly missing: string

  constructor(missing: string) {
    super(`${missing} is missing`)
    this.missing = missing
  }
}

interface FileRow {
  readonly path: string
  readonly sizeBytes: number
  readonly sums: Uint8Array | null
}

export interface BackedUp {
  /** All files in the copy. */
  readonly names: readonly string[]
  /** What is damaged, and is damaged in or missing from the copy: sentences without a full stop. */
  readonly damaged: readonly string[]
}

/**
 * Copies the files of an engine that may be running: the index as of one instant, every file it names, and the logs
 * of points that are in no file. A file that vanishes meanwhile has left the index before; so the index is copied
 * again, and then all files that were not copied yet. Damage does not keep the rest from being copied.
 */
export async function backUpSeries({ folder, target, onProgress }: SeriesBackup): Promise<BackedUp> {
  const copy = new Copy(layoutOf(folder), layoutOf(target), onProgress)
  mkdirSync(target, { recursive: true, mode: 0o700 })
  const missed = new Set<string>()
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      return await copy.attempt()
    } catch (error) {
      if (!(error instanceof Vanished)) throw error
      if (missed.has(error.missing)) throw new PointsFault(error.message)
      missed.add(error.missing)
    }
  }
  throw new PointsFault('files of points are replaced faster than they can be copied')
}

class Copy {
  readonly #from: Layout
  readonly #to: Layout
  readonly #onProgress: SeriesBackup['onProgress']
  readonly #copied = new Set<string>()
  readonly #damaged = new Map<string, string>()

  constructor(from: Layout, to: Layout, onProgress: SeriesBackup['onProgress']) {
    this.#from = from
    this.#to = to
    this.#onProgress = onProgress
  }

  async attempt(): Promise<BackedUp> {
    const { sealed, files } = await copyIndex(this.#from, this.#to)
    // Opened before files are copied, which takes a while: an open log can be read even after it was removed.
    const logs = openLogs(this.#from, sealed)
    try {
      await this.#copyFiles(files)
      for (const { number, fd } of logs) this.#noteLog(number, copyLog(fd, this.#to.logFile(number), `log-${number}`))
    } finally {
      for (const { fd } of logs) closeSync(fd)
    }
    this.#removeOthers(files)
    const names = ['index.db', ...logs.map(({ number }) => `log-${number}`), ...files.map(({ path }) => path)]
    return { names, damaged: names.flatMap((name) => this.#damaged.get(name) ?? []) }
  }

  #noteLog(number: number, damage: string | undefined): void {
    if (damage !== undefined) this.#damaged.set(`log-${number}`, damage)
  }

  async #copyFiles(files: readonly FileRow[]): Promise<void> {
    const all = sum(files)
    let done = sum(files.filter(({ path }) => this.#copied.has(path)))
    this.#onProgress(done, all)
    for (const file of files) {
      if (this.#copied.has(file.path)) continue
      const damage = await copyPoints(this.#from, this.#to, file)
      if (damage !== undefined) this.#damaged.set(file.path, `${file.path} is damaged: ${damage}`)
      this.#copied.add(file.path)
      done = { count: done.count + 1, sizeBytes: done.sizeBytes + file.sizeBytes }
      this.#onProgress(done, all)
    }
  }

  #removeOthers(files: readonly FileRow[]): void {
    const named = new Set(files.map(({ path }) => path))
    for (const path of this.#copied) if (!named.has(path)) removeFile(this.#to, path)
  }
}

/** Copies the index into a single file that can be read without writing, and that lists no files to remove. */
async function copyIndex(from: Layout, to: Layout): Promise<{ sealed: number; files: FileRow[] }> {
  rmSync(to.index, { force: true })
  const source = new DatabaseSync(from.index, { timeout: 5000 })
  try {
    source.exec('pragma query_only = on')
    // In one step: a copy in several steps starts again whenever somebody writes between them. Writers do not wait
    // for it.
    await backup(source, to.index, { rate: ALL_PAGES })
  } finally {
    source.close()
  }
  const index = new DatabaseSync(to.index)
  try {
    index.exec('pragma synchronous = off; pragma journal_mode = delete; delete from doomed')
    // The newest files first: they are likely to be merged soon.
    index.exec(CHECKSUMS)
    const rows = index
      .prepare(
        `select path, size_bytes as sizeBytes, sums from files left join checksums using (path) order by sequence desc`
      )
      .all()
    return { sealed: sealedOf(index), files: rows as unknown as FileRow[] }
  } finally {
    index.close()
  }
}

/** Opens every log after `sealed`. The list is read first: all but its last were complete then. */
function openLogs(from: Layout, sealed: number): { number: number; fd: number }[] {
  const opened: { number: number; fd: number }[] = []
  const last = lastLog(from, sealed)
  try {
    for (let number = sealed + 1; number <= last; number++) {
      opened.push({ number, fd: openSync(from.logFile(number), 'r') })
    }
    return opened
  } catch (error) {
    for (const { fd } of opened) closeSync(fd)
    throw asVanished(error, `log-${sealed + 1 + opened.length}`)
  }
}

/** Copies a log; its last record may be incomplete. Answers what is damaged, which the copy leaves out. */
function copyLog(fd: number, target: string, name: string): string | undefined {
  const log = readFileSync(fd)
  const records: LogRecord[] = []
  const { end, lost } = replayLog(log, (record) => records.push(record))
  const copy = lost.length === 0 ? log.subarray(0, end) : Buffer.concat(encodeAll(records, 0))
  writeFileSync(target, copy, { mode: 0o600, flag: 'wx' })
  return lost.length === 0 ? undefined : describeLost(name, lost)
}

/** Copies a file of points; answers what is damaged. A damaged file is copied too, since parts of it can be read. */
async function copyPoints(from: Layout, to: Layout, { path, sizeBytes, sums }: FileRow): Promise<string | undefined> {
  const target = to.absolute(path)
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 })
  try {
    await copyFile(from.absolute(path), target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  } catch (error) {
    throw asVanished(error, path)
  }
  if ((await stat(target)).size !== sizeBytes) throw new PointsFault(`${path} is not as it was written`)
  return sums === null ? undefined : findDamage(target, new FileSums(sums))
}

function asVanished(error: unknown, name: string): unknown {
  return (error as NodeJS.ErrnoException).code === 'ENOENT' ? new Vanished(name) : error
}

function sum(files: readonly Pick<FileRow, 'sizeBytes'>[]): Amount {
  return { count: files.length, sizeBytes: files.reduce((total, { sizeBytes }) => total + sizeBytes, 0) }
}
