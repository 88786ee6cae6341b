import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DUE_TEXT } from './due-text.ts'

const MANIFEST = 'manifest.json'
/** Said of a folder before it is removed, so that half of one is never taken for a backup. */
const REMOVED = '.removed'

interface Manifest {
  readonly format: number
  readonly damaged?: readonly string[]
}

/** `none` where there is no such folder, `foreign` where it is no backup. */
export type BackupState = 'none' | 'foreign' | 'sound' | 'damaged'

/** The manifest of a backup is written last, and the folder gets its name when all is in it. */
export async function stateOf(folder: string): Promise<BackupState> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, MANIFEST), 'utf8')) as Manifest | null
    if (typeof manifest?.format !== 'number') return 'foreign'
    return (manifest.damaged?.length ?? 0) > 0 ? 'damaged' : 'sound'
  } catch {
    return (await readdir(folder).catch(() => undefined)) === undefined ? 'none' : 'foreign'
  }
}

/** Removes what a process that was killed has left of one backup. */
export async function removeUnfinished(backupDir: string, name: string): Promise<void> {
  for (const folder of await foldersIn(backupDir)) {
    if (folder.startsWith(`${name}.partial-`) && /^\d+$/.test(folder.slice(name.length + '.partial-'.length))) {
      await rm(join(backupDir, folder), { recursive: true, force: true })
    }
  }
}

/**
 * Removes what is older than so many sound backups, but never the one that was just made, nor what is none of ours. Answers
 * how many.
 */
export async function removeOlder(backupDir: string, keep: number, justMade: string): Promise<number> {
  const folders = await foldersIn(backupDir)
  const ours: { name: string; state: BackupState }[] = []
  for (const name of folders.filter((folder) => DUE_TEXT.test(folder)).sort()) {
    const state = await stateOf(join(backupDir, name))
    if (state === 'sound' || state === 'damaged') ours.push({ name, state })
  }
  const sound = ours.filter(({ state }) => state === 'sound')
  const oldest = sound.at(-keep)?.name ?? ''
  const old = ours.filter(({ name }) => name < oldest && name !== justMade)
  for (const { name } of old) await rename(join(backupDir, name), join(backupDir, name + REMOVED))
  const left = folders.filter((name) => name.endsWith(REMOVED) && DUE_TEXT.test(name.slice(0, -REMOVED.length)))
  for (const name of new Set([...left, ...old.map((one) => one.name + REMOVED)])) {
    await rm(join(backupDir, name), { recursive: true, force: true })
  }
  return old.length
}

/** None where it is not there yet. */
async function foldersIn(backupDir: string): Promise<string[]> {
  try {
    const entries = await readdir(backupDir, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
