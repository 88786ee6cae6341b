import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
/** Several times what all suites that run at once have been seen to hold. */
const ENOUGH_BYTES = 6 * 1024 ** 3

/** A folder in memory for what tests write, removed with this process; none where the system has too little of it. */
export function makeMemoryFolder(): string | undefined {
  if (!existsSync(MEMORY)) return undefined
  const { bavail, bsize } = statfsSync(MEMORY)
  if (bavail * bsize < ENOUGH_BYTES) return undefined
  const folder = mkdtempSync(join(MEMORY, 'millrace-test-'))
  chmodSync(folder, 0o711) // a database server runs as somebody else
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  // What is left there would take up memory until the machine is started again.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  return folder
}

/** Suites that kill what is writing stay on a disk, which takes its time to write. */
export function isAboutCrashes(file: string): boolean {
  return /^test\/(?:process|long)\//.test(file) || file.includes('crash')
}
