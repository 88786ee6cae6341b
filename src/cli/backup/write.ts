import { existsSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { VERSION } from '../../app.ts'
import type { Config } from '../../config.ts'
import { makeFolder } from '../../data-dir.ts'
import type { Clock } from '../../engines/clock.ts'
import { backUpStore, ContentFault } from '../../engines/objects/disk/backup.ts'
import { metadataFile } from '../../platform.ts'
import { Trouble } from '../command.ts'
import { sha256Of, sync, writeDurably } from './durable.ts'
import { writeWithKept } from './kept-files.ts'
import { describeFile, FORMAT, MANIFEST, type Manifest, type ManifestFile } from './manifest.ts'
import { bucketsOf, indexOf, type StoreFolder, storesIn } from './object-stores.ts'
import { DISK_ID_PART, METADATA_PART, PARTS } from './parts.ts'
import type { Progress } from './progress.ts'
import { hasPoints, SERIES_PART, writePoints } from './series.ts'

/** Copies what matters in DATA_DIR to a new folder, which is there in full or not at all. */
export async function writeBackup(config: Config, folder: string, clock: Clock, progress: Progress): Promise<Manifest> {
  if (existsSync(folder)) throw new Trouble(`${folder} exists already: name a folder that does not.`)
  if (config.databaseUrl === undefined && !existsSync(metadataFile(config))) {
    throw new Trouble(`There is nothing to back up: ${config.dataDir} holds no database. Check DATA_DIR.`)
  }
  const partial = `${folder}.partial-${process.pid}`
  try {
    makeFolder(partial)
  } catch (error) {
    const advice = 'name one in a place that this user may write to'
    throw new Trouble(`A folder ${folder} can't be made: ${(error as Error).message}; ${advice}.`)
  }
  try {
    const manifest = await writeParts(config, partial, clock.iso(), progress)
    sync(partial)
    renameSync(partial, folder)
    sync(dirname(folder))
    return manifest
  } catch (error) {
    rmSync(partial, { recursive: true, force: true })
    throw error
  }
}

async function writeParts(config: Config, folder: string, time: string, progress: Progress): Promise<Manifest> {
  const names: string[] = []
  const damaged: string[] = []
  for (const { file, copy } of PARTS) {
    const write = () => copy(config, join(folder, file))
    if (file === METADATA_PART) names.push(...(await writeWithKept(config, folder, write)))
    else if (await write()) names.push(file)
  }
  // After the database: a store that the copy of the database knows is then certainly there.
  for (const store of storesIn(config)) {
    damaged.push(...(await writeStore(config, folder, store, progress)))
    names.push(indexOf(store))
  }
  if (hasPoints(config)) {
    damaged.push(...(await writePoints(config, folder, progress)))
    names.push(SERIES_PART)
  }
  if (names.every((name) => name === DISK_ID_PART))
    throw new Trouble(`${config.dataDir} holds nothing to back up: all there is is in PostgreSQL.`)
  const files: ManifestFile[] = []
  for (const name of names) files.push(await describeFile(folder, name))
  const manifest: Manifest = { format: FORMAT, version: VERSION, time, files, ...(damaged.length > 0 && { damaged }) }
  writeDurably(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}

async function writeStore(
  config: Config,
  folder: string,
  store: StoreFolder,
  { objects }: Progress
): Promise<string[]> {
  const target = join(folder, store)
  let damaged: readonly string[]
  try {
    const buckets = await bucketsOf(config, folder, store)
    const from = join(config.dataDir, store)
    damaged = await backUpStore({ folder: from, target, buckets, progress: objects, sha256Of })
  } catch (error) {
    if (!(error instanceof ContentFault)) throw error
    const advice = 'put it back from an older backup or delete the object, and then begin again'
    throw new Trouble(`In ${join(config.dataDir, store)} ${error.message}: ${advice}.`)
  }
  sync(join(folder, indexOf(store)))
  sync(dirname(target))
  return damaged.map((each) => `in ${join(config.dataDir, store)} ${each}`)
}
