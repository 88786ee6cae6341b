import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import type { Clock } from '../../engines/clock.ts'
import { lockFolder } from '../../engines/folder-lock.ts'
import { ContentFault } from '../../engines/objects/disk/backup.ts'
import { restoreStore } from '../../engines/objects/disk/restore.ts'
import { seriesDir, unfinishedRestoreFile } from '../../platform.ts'
import { Trouble } from '../command.ts'
import { sha256Of, sync, writeDurably } from './durable.ts'
import { syncKept } from './kept-files.ts'
import type { Manifest } from './manifest.ts'
import { isIndex, type StoreFolder, storeOf, storesIn } from './object-stores.ts'
import type { Progress } from './progress.ts'
import { hasPoints, SERIES_PART, stagePoints } from './series.ts'
import { damaged, stageFile } from './stage-file.ts'

const ASIDE = 'before-restore-'
/** The lock that is held during the restore, and what file systems put at their root. */
const NOT_DATA = ['lock', 'lock-journal', 'lost+found']

export interface RestoreRequest {
  readonly config: Config
  readonly folder: string
  readonly manifest: Manifest
  /** Whether existing data may be moved aside. */
  readonly force: boolean
  readonly clock: Clock
  readonly progress: Progress
}

/**
 * Puts a backup into DATA_DIR; answers where earlier data was moved to, if there was any. Everything happens within
 * DATA_DIR, which may be a mount point that can't be renamed. Nothing there is touched until all copies are complete
 * and checked; from then on a mark keeps servers from starting until the last file is in its place.
 */
export async function putBack(request: RestoreRequest): Promise<string | undefined> {
  const { config, clock } = request
  const { dataDir } = config
  const unlock = lockAll(config)
  try {
    const present = readdirSync(dataDir).filter((name) => !NOT_DATA.includes(name) && !name.startsWith(ASIDE))
    if (present.length > 0 && !request.force) {
      throw new Trouble(`${dataDir} is not empty: use --force to move what it holds aside, or set another DATA_DIR.`)
    }
    const staged = await stage(request)
    writeMark(config)
    const mark = basename(unfinishedRestoreFile(config))
    const aside = moveAside(
      dataDir,
      present.filter((name) => name !== mark),
      clock.iso()
    )
    for (const name of readdirSync(staged)) renameSync(join(staged, name), join(dataDir, name))
    rmdirSync(staged)
    sync(dataDir)
    rmSync(unfinishedRestoreFile(config))
    sync(dataDir)
    return aside
  } finally {
    unlock()
  }
}

/** Locks everything: with a shared database a server locks only the stores that it uses, and the points. */
function lockAll(config: Config): () => void {
  const locks = [lockFolder(config.dataDir)]
  const unlock = () => {
    for (const letGo of locks) letGo()
  }
  try {
    for (const store of storesIn(config)) locks.push(lockFolder(join(config.dataDir, store)))
    if (hasPoints(config)) locks.push(lockFolder(seriesDir(config)))
    return unlock
  } catch (error) {
    unlock()
    throw error
  }
}

/** Copies the backup into a folder beside its target, and compares the copies with the manifest. */
async function stage({ config, folder, manifest, progress }: RestoreRequest): Promise<string> {
  const staged = join(config.dataDir, `restoring-${process.pid}`)
  mkdirSync(staged, { mode: 0o700 })
  try {
    for (const { name, sha256 } of manifest.files) await stageFile(folder, staged, name, sha256)
    syncKept(staged)
    for (const { name } of manifest.files) {
      if (isIndex(name)) await stageStore(folder, staged, storeOf(name), progress)
    }
    if (manifest.files.some(({ name }) => name === SERIES_PART)) await stagePoints(folder, staged, progress)
    sync(staged)
    return staged
  } catch (error) {
    rmSync(staged, { recursive: true, force: true })
    throw error
  }
}

async function stageStore(folder: string, staged: string, store: StoreFolder, { objects }: Progress): Promise<void> {
  try {
    await restoreStore(join(folder, store), join(staged, store), { progress: objects, sha256Of })
  } catch (error) {
    throw error instanceof ContentFault ? damaged(folder, error.message) : error
  }
  sync(dirname(join(staged, store)))
}

function writeMark(config: Config): void {
  const file = unfinishedRestoreFile(config)
  // The mark of an interrupted restore is as good.
  if (!existsSync(file)) writeDurably(file, 'A restore is moving files about, or was interrupted while it did.\n')
  sync(config.dataDir)
}

function moveAside(dataDir: string, names: readonly string[], time: string): string | undefined {
  if (names.length === 0) return undefined
  const aside = join(dataDir, `${ASIDE}${time.replaceAll(':', '-')}`)
  mkdirSync(aside, { mode: 0o700 })
  for (const name of names) renameSync(join(dataDir, name), join(aside, name))
  sync(aside)
  return aside
}
