import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Several times what all suites that run at once have been seen to use. */
const ENOUGH_BYTES = 6 * 1024 ** 3

/** A folder in memory for files of tests, removed with this process; undefined where there is too little memory. */
export function makeMemoryFolder(): string | undefined {
  if (!existsSync(MEMORY)) return undefined
  const { bavail, bsize } = statfsSync(MEMORY)
  if (bavail * bsize < ENOUGH_BYTES) return undefined
  const folder = mkdtempSync(join(MEMORY, 'millrace-test-'))
  chmodSync(folder, 0o711) // a database server runs as another user
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  // Leftover files would take up memory until the machine restarts.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  return folder
}

/** Suites that kill writers use a real disk, because writing to it takes time. */
export function isAboutCrashes(file: string): boolean {
  return /^test\/(?:process|long)\//.test(file) || file.includes('crash')
}
