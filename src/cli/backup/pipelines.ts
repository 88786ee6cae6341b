import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { chmod, constants, copyFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Checkpoint, filesOf } from '../../areas/pipelines/checkpoint.ts'
import type { Config } from '../../config.ts'
import { pipelinesDir } from '../../platform.ts'
import { Trouble } from '../command.ts'
import { flush, severalAtOnce, sync } from './durable.ts'
import { METADATA_PART } from './parts.ts'
import { readCopy } from './read-copy.ts'

const MAX_ATTEMPTS = 5
/** What the checkpoints of pipelines speak of, relative to DATA_DIR and to a backup of it. */
const KEPT = `${basename(pipelinesDir({ dataDir: '' } as Config))}/kept`

/** Whether it is the name of a kept file; none leads out of the folder. */
export const isKept = (name: string) => name.startsWith(`${KEPT}/`) && /^\w+$/.test(name.slice(KEPT.length + 1))

/**
 * Copies the database, and the kept files that the checkpoints in the copy name; answers the names of all. A server
 * that runs drops a file soon after its checkpoint has moved on. So files are copied before the database too, and where
 * one was made and dropped in between, the database is copied again: it names others by then.
 */
export async function writeWithKept(
  config: Config,
  folder: string,
  copyDatabase: () => Promise<boolean>
): Promise<string[]> {
  if (config.objectsUrl !== undefined) return (await copyDatabase()) ? [METADATA_PART] : [] // they are in that store
  for (let attempt = 1; ; attempt++) {
    await copyKept(config, folder, keptIn(config.dataDir))
    if (!(await copyDatabase())) return leaveOnly(folder, keptIn(folder))
    const owners = keptFilesOf(folder)
    const needed = [...owners.keys()]
    await copyKept(config, folder, needed)
    const missing = needed.find((name) => !existsSync(join(folder, name)))
    if (missing === undefined) return [METADATA_PART, ...leaveOnly(folder, needed)]
    if (attempt === MAX_ATTEMPTS) throw gone(config, missing, owners.get(missing) as string)
    rmSync(join(folder, METADATA_PART))
  }
}

/** Flushes the names of kept files, where there are some. */
export function syncKept(folder: string): void {
  const kept = join(folder, KEPT)
  if (existsSync(kept)) for (const path of [kept, dirname(kept)]) sync(path)
}

function keptIn(folder: string): string[] {
  const kept = join(folder, KEPT)
  const names = existsSync(kept) ? readdirSync(kept).sort() : []
  return names.map((name) => `${KEPT}/${name}`).filter(isKept)
}

/** Those that the copy of the database names, each with its pipeline. */
function keptFilesOf(folder: string): Map<string, string> {
  const owners = new Map<string, string>()
  readCopy(folder, ['pipeline_checkpoints'], (database) => {
    for (const row of database.prepare('select pipeline_id, checkpoint from pipeline_checkpoints').iterate()) {
      const files = filesOf(JSON.parse(row.checkpoint as string) as Checkpoint)
      for (const name of files) owners.set(`${KEPT}/${name}`, row.pipeline_id as string)
    }
  })
  return owners
}

/** Copies those that are there and were not copied before: none is ever changed. */
async function copyKept({ dataDir }: Config, folder: string, names: readonly string[]): Promise<void> {
  if (names.length > 0) mkdirSync(join(folder, KEPT), { recursive: true, mode: 0o700 })
  await severalAtOnce(names, async (name) => {
    const target = join(folder, name)
    if (existsSync(target)) return
    try {
      await copyFile(join(dataDir, name), target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw error
    }
    await chmod(target, 0o600)
    await flush(target)
  })
}

function leaveOnly(folder: string, names: string[]): string[] {
  const needed = new Set(names)
  for (const name of keptIn(folder)) if (!needed.has(name)) rmSync(join(folder, name))
  if (names.length === 0) rmSync(dirname(join(folder, KEPT)), { recursive: true, force: true })
  syncKept(folder)
  return names
}

function gone({ dataDir }: Config, name: string, pipelineId: string): Trouble {
  const what = `In ${dataDir} ${name} is missing, which the pipeline ${pipelineId} needs to go on`
  const advice = `stop that pipeline and begin again, and if that does not help, start it from its beginning first`
  return new Trouble(`${what}, also after ${MAX_ATTEMPTS} copies of the database: ${advice}.`)
}
