import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Reads the secret made on first start, or makes it: 32 random bytes that only the owner may read. */
export function readOrMakeSecret(file: string): { secret: string; made: boolean } {
  try {
    return { secret: readSecret(file), made: false }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  mkdirSync(dirname(file), { recursive: true })
  const secret = randomBytes(32).toString('base64url')
  // Written aside and linked: a crash in between leaves no half of a secret behind. The name is random, because in a
  // container every process may have the same number as the one before it that was killed there.
  const aside = `${file}.${randomBytes(8).toString('hex')}`
  const handle = openSync(aside, 'wx', 0o600)
  try {
    writeSync(handle, `${secret}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  try {
    linkSync(aside, file)
    return { secret, made: true }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return { secret: readSecret(file), made: false } // another process was quicker
  } finally {
    unlinkSync(aside)
  }
}

function readSecret(file: string): string {
  const secret = readFileSync(file, 'utf8').trim()
  if (secret.length < 32) throw new Error(`${file} is damaged: restore it from a backup, sealed values need it`)
  return secret
}
