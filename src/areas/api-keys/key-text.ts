import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { takeRandom } from '../../engines/random.ts'

/** `mr_` + 30 random base62 characters + 6 of checksum: found by secret scanners, checkable without a database. */

const PREFIX = 'mr_'
const RANDOM_CHARS = 30
const CHECKSUM_CHARS = 6
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function makeKeyText(): string {
  let random = ''
  while (random.length < RANDOM_CHARS) {
    for (const byte of takeRandom(RANDOM_CHARS)) {
      // Bytes beyond the last multiple of 62 would make the first characters more frequent.
      if (byte < 248 && random.length < RANDOM_CHARS) random += BASE62[byte % 62]
    }
  }
  return PREFIX + random + checksum(random)
}

/** Whether the text can be a key at all: a mistyped or cut one is told apart from an unknown one. */
export function isKeyText(text: string): boolean {
  const body = /^mr_([0-9A-Za-z]{36})$/.exec(text)?.[1]
  return body !== undefined && checksum(body.slice(0, RANDOM_CHARS)) === body.slice(RANDOM_CHARS)
}

/** A key has 178 random bits, so a plain hash can't be reversed by trying. */
export function hashKeyText(text: string): string {
  return hash('sha256', text, 'base64url')
}

function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let i = 0; i < CHECKSUM_CHARS; i++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}
