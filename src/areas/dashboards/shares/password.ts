import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>
const HASH_BYTES = 32

/** A password as it is kept: it can be checked, and not be read. */
export async function hidePassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await derive(password.normalize('NFC'), salt, HASH_BYTES)
  return `${salt.toString('base64')}.${hash.toString('base64')}`
}

export async function isPassword(kept: string, password: string): Promise<boolean> {
  const [salt = '', hash = ''] = kept.split('.')
  const known = Buffer.from(hash, 'base64')
  return timingSafeEqual(known, await derive(password.normalize('NFC'), Buffer.from(salt, 'base64'), known.length))
}
