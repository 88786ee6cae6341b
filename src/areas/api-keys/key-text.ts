import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** `mr_` + 30 random base62 characters + 6 of checksum: found by secret scanners, checkable without a database. */

const PREFIX = 'mr_'
const RANDOM_CHARS = 30
const CHECKSUM_CHARS = 6
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function makeKeyText(): string {
  let random = ''
  for (let i = 0; i < RANDOM_CHARS; i++) random += BASE62[randomInt(62)]
  return PREFIX + random + checksum(random)
}

/** Whether the text can be a key at all: a mistyped or cut one is told apart from an unknown one. */
export function isKeyText(text: string): boolean {
  const body = /^mr_([0-9A-Za-z]{36})$/.exec(text)?.[1]
  return body !== undefined && checksum(body.slice(0, RANDOM_CHARS)) === body.slice(RANDOM_CHARS)
}

/** A key has 178 bits of chance, so a plain hash can't be searched for its original. */
export function hashKeyText(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
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
