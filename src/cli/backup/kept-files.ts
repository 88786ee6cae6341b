import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { chmod, constants, copyFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { KeptFiles } from '../../area.ts'
import { AREAS } from '../../areas.ts'
import type { Config } from '../../config.ts'
import { Trouble } from '../command.ts'
import { flush, severalAtOnce, sync } from './durable.ts'
import { METADATA_PART } from './parts.ts'
import { readCopy } from './read-copy.ts'

const MAX_ATTEMPTS = 5

/** Files that areas keep beside the database. */
const KEPT: readonly KeptFiles[] = AREAS.flatMap(({ keptFiles }) => keptFiles ?? [])

/** Whether a name in a manifest is that of a kept file; such a name can't lead out of its folder. */
export const isKept = (name: string, all = KEPT) =>
  all.some(({ folder }) => name.startsWith(`${folder}/`) && /^\w+$/.test(name.slice(folder.length + 1)))

/**
 * Copies the database, and the kept files that the rows in the copy name; answers the names of all. A running server
 * removes a file soon after no row names it any more. So files are copied before the database too, and where one was
 * made and removed in between, the database is copied again: by then it names others.
 */
export async function writeWithKept(
  config: Config,
  folder: string,
  copyDatabase: () => Promise<boolean>,
  all = KEPT
): Promise<string[]> {
  if (config.objectsUrl !== undefined) return (await copyDatabase()) ? [METADATA_PART] : [] // then the kept files are in that store
  for (let attempt = 1; ; attempt++) {
    await copyKept(config, folder, keptIn(config.dataDir, all))
    if (!(await copyDatabase())) return leaveOnly(folder, keptIn(folder, all), all)
    const owners = await namesIn(folder, all)
    const needed = [...owners.keys()]
    await copyKept(config, folder, needed)
    const missing = needed.find((name) => !existsSync(join(folder, name)))
    if (missing === undefined) return [METADATA_PART, ...leaveOnly(folder, needed, all)]
    if (attempt === MAX_ATTEMPTS) throw gone(config, missing, owners.get(missing) as string)
    rmSync(join(folder, METADATA_PART))
  }
}

/** Flushes the folders of kept files, where there are some. */
export function syncKept(folder: string, all = KEPT): void {
  for (const each of all) {
    const kept = join(folder, each.folder)
    if (existsSync(kept)) for (const path of [kept, dirname(kept)]) sync(path)
  }
}

/** The files in the folders, whether a row names them or not. */
export function keptIn(folder: string, all: readonly KeptFiles[]): string[] {
  return all.flatMap((each) => {
    const kept = join(folder, each.folder)
    const names = existsSync(kept) ? readdirSync(kept).sort() : []
    return names.map((name) => `${each.folder}/${name}`).filter((name) => isKept(name, all))
  })
}

/** The files that the copy of the database names, each with who needs it. */
async function namesIn(folder: string, all: readonly KeptFiles[]): Promise<Map<string, string>> {
  const owners = new Map<string, string>()
  for (const each of all) {
    const found = await readCopy(folder, each.tables, (database) => each.namesIn(database))
    for (const [name, owner] of found ?? []) owners.set(`${each.folder}/${name}`, owner)
  }
  return owners
}

/** Copies files that exist and were not copied before; kept files never change. */
async function copyKept({ dataDir }: Config, folder: string, names: readonly string[]): Promise<void> {
  for (const name of names) mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 })
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

function leaveOnly(folder: string, names: string[], all: readonly KeptFiles[]): string[] {
  const needed = new Set(names)
  for (const name of keptIn(folder, all)) if (!needed.has(name)) rmSync(join(folder, name))
  for (const each of all) {
    const isEmpty = !names.some((name) => name.startsWith(`${each.folder}/`))
    if (isEmpty) rmSync(join(folder, each.folder.split('/')[0] as string), { recursive: true, force: true })
  }
  syncKept(folder, all)
  return names
}

function gone({ dataDir }: Config, name: string, owner: string): Trouble {
  const what = `In ${dataDir} ${name} is missing, which the ${owner} needs to go on`
  const advice = `stop that pipeline and begin again, and if that does not help, start it from its beginning first`
  return new Trouble(`${what}, also after ${MAX_ATTEMPTS} copies of the database: ${advice}.`)
}
