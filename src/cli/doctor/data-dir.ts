import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { lostDatabase } from '../../data-dir.ts'
import { FolderInUse, lockFolder } from '../../engines/folder-lock.ts'
import { openModeOf } from '../../engines/own-files.ts'
import { type Finding, fail, type Installation, ok, warn } from '../../finding.ts'
import { secretFile, unfinishedRestoreFile } from '../../platform.ts'

const MIB = 1024 * 1024
const SCARCE_BYTES = 1024 * MIB
const TOO_LITTLE_BYTES = 64 * MIB
const SUBJECT = 'data folder'

export function checkDataDir({ config }: Installation): Finding[] {
  const { dataDir } = config
  const exists = existsSync(dataDir)
  const place = exists ? dataDir : nearestFolder(dataDir)
  if (exists && !statSync(dataDir).isDirectory()) {
    return [fail(SUBJECT, `${dataDir} is a file: set DATA_DIR to a folder`)]
  }
  if (!isWritable(place)) {
    return [fail(SUBJECT, `${place} can't be written to: give this user the right to, or set another DATA_DIR`)]
  }
  if (existsSync(unfinishedRestoreFile(config))) {
    return [fail(SUBJECT, "a restore was interrupted: run 'millrace restore' again, with --force")]
  }
  const lost = lostDatabase(config)
  if (lost !== undefined) return [fail(SUBJECT, lost)]
  const found = exists ? checkMode(dataDir) : ok(SUBJECT, `${dataDir} does not exist yet; the first start makes it`)
  return [found, checkSpace('disk', place), ...checkSecretFile(secretFile(config), config.secretKeys !== undefined)]
}

/** Checks that only the owner can look into the folder. */
function checkMode(dataDir: string): Finding {
  const mode = openModeOf(dataDir)
  if (mode === undefined) return ok(SUBJECT, dataDir)
  return warn(
    SUBJECT,
    `others can look into ${dataDir} (mode ${mode}): run 'chmod 700 ${dataDir}', as the next start does`
  )
}

/** Whether a process has locked the folder now; always false with a shared database, where none locks it. */
export function isHeld({ config }: Installation): boolean {
  if (config.databaseUrl !== undefined || !existsSync(config.dataDir)) return false
  try {
    lockFolder(config.dataDir)()
    return false
  } catch (error) {
    if (error instanceof FolderInUse) return true
    throw error
  }
}

function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(path))
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Whether not even a few pages fit on the disk any more. */
export function isFull(place: string): boolean {
  const { bavail, bsize } = statfsSync(place)
  return bavail * bsize < MIB
}

/** `found` is added to the message about the place. */
export function checkSpace(subject: string, place: string, found = ''): Finding {
  const { bavail, bsize } = statfsSync(place)
  const freeBytes = bavail * bsize
  const text = `${found}${Math.floor(freeBytes / MIB)} MiB free`
  if (freeBytes < TOO_LITTLE_BYTES) return fail(subject, `${text}: make room, writes will fail soon`)
  return freeBytes < SCARCE_BYTES ? warn(subject, `${text}: make room before it is full`) : ok(subject, text)
}

function checkSecretFile(file: string, isConfigured: boolean): Finding[] {
  if (isConfigured) return [ok('secret', 'from SECRET_KEY')]
  if (!existsSync(file)) return [ok('secret', `${file} does not exist yet; the first start makes it`)]
  const mode = statSync(file).mode & 0o777
  if ((mode & 0o077) === 0) return [ok('secret', file)]
  return [warn('secret', `others can read ${file} (mode ${mode.toString(8)}): run 'chmod 600 ${file}'`)]
}
