import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { metadataFile, objectsDir, pipelinesDir, seriesDir } from './data-paths.ts'
import type { Kept } from './engines/replicas/index.ts'

/** Makes the folder where it does not exist, and checks that it can be used. */
export function requireDataDir(config: Config): void {
  const { dataDir } = config
  try {
    makeFolder(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw unusableDataDir(config, error)
  }
}

export function unusableDataDir({ dataDir }: Config, error: unknown): ConfigError {
  return new ConfigError([`DATA_DIR (${dataDir}) can't be used: ${reasonOf(error)}`])
}

/**
 * Makes a folder and those above it, one after another: `mkdir` with `recursive` tries for half a minute below a
 * folder that takes none.
 */
export function makeFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found !== undefined) throw Object.assign(new Error(`${path} is a file`), { code: 'ENOTDIR' })
  makeFolder(dirname(path))
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error // another replica was quicker
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOTDIR') return 'it is a file, or below one: set it to a folder'
  if (code === 'EACCES' || code === 'EPERM')
    return 'this user may not write to it: give it the right to, or set another one'
  if (code === 'EROFS') return 'it is on a file system that is read-only: set another one'
  return `${message}: set another one`
}

/**
 * What to tell the operator where data is there but the embedded database beside it is gone: nobody would own the
 * data.
 */
export function lostDatabase(config: Config): string | undefined {
  if (config.databaseUrl !== undefined || existsSync(metadataFile(config))) return undefined
  const kept = (['points', 'objects'] as const).filter((each) => holds(config, each))
  if (kept.length === 0) return undefined
  return `metadata.db is missing in DATA_DIR, beside ${kept.join(' and ')}: put it back from a backup ('millrace restore'), or move the rest away or set another DATA_DIR to begin anew`
}

/**
 * Whether data of this kind is on this disk; files of pipelines count as objects. Empty logs and folders do not
 * count: a mere query makes them.
 */
export function holds(config: Config, kept: Kept): boolean {
  return kept === 'points' ? holdsPoints(config) : holdsObjects(config)
}

function holdsPoints(config: Config): boolean {
  const folder = seriesDir(config)
  const isLog = (name: string) =>
    /^log-\d+$/.test(name) && (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0) > 0
  return namesIn(folder).some((name) => name === 'points' || isLog(name))
}

function holdsObjects(config: Config): boolean {
  return namesIn(objectsDir(config)).length > 0 || namesIn(join(pipelinesDir(config), 'kept')).length > 0
}

const namesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder) : [])
