import { createHash, type Hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { invalidField, Problem } from '../errors.ts'
import { headerNotSupported } from './header-problems.ts'

type Algorithm = 'md5' | 'sha256'

/** Digests in hexadecimal. */
export type Digests = Readonly<Partial<Record<Algorithm, string>>>

const NAMES: Readonly<Record<string, Algorithm>> = { md5: 'md5', 'sha-256': 'sha256' }
const DIGEST_BYTES: Readonly<Record<Algorithm, number>> = { md5: 16, sha256: 32 }
export const DIGEST_HEADERS = ['content-md5', 'repr-digest', 'content-digest', 'digest'] as const

/**
 * The digests that the headers give for a body: `Content-MD5`, `Repr-Digest` and `Content-Digest` (RFC 9530), and the
 * older `Digest`. Bodies are never transformed, so all of these are over the same bytes. A digest that can't be
 * checked is refused, since its sender relies on it.
 */
export function digestsAsked(headers: IncomingHttpHeaders): Digests {
  const asked: Partial<Record<Algorithm, string>> = {}
  const add = (header: string, algorithm: Algorithm, base64: string) => {
    const hex = hexOf(base64, DIGEST_BYTES[algorithm], `/headers/${header}`)
    if ((asked[algorithm] ?? hex) !== hex) throw new Problem('checksum_mismatch', { detail: TWO_DIGESTS })
    asked[algorithm] = hex
  }
  const md5 = textOf(headers['content-md5'])
  if (md5 !== undefined) add('content-md5', 'md5', md5)
  for (const header of ['repr-digest', 'content-digest', 'digest'] as const) {
    const text = textOf(headers[header])
    if (text === undefined) continue
    const known = pairsOf(text).flatMap(([name, base64]) => {
      const algorithm = NAMES[name]
      return algorithm === undefined ? [] : [{ algorithm, base64 }]
    })
    if (known.length === 0) {
      throw headerNotSupported(header, 'It has no digest that can be checked here: send sha-256 or md5.')
    }
    for (const { algorithm, base64 } of known) add(header, algorithm, base64)
  }
  return asked
}

const TWO_DIGESTS = 'The headers give two different digests of one content.'

/** Checks a body against the digests that its sender gave, piece by piece. */
export class DigestCheck {
  readonly #asked: Digests
  readonly #hashes: [Algorithm, Hash][]

  constructor(headers: IncomingHttpHeaders) {
    this.#asked = digestsAsked(headers)
    this.#hashes = (Object.keys(this.#asked) as Algorithm[]).map((algorithm) => [algorithm, createHash(algorithm)])
  }

  update(chunk: Uint8Array): void {
    for (const [, hash] of this.#hashes) hash.update(chunk)
  }

  /** To be called once, at the end of the body; throws where a digest differs. */
  require(): void {
    const found = Object.fromEntries(this.#hashes.map(([algorithm, hash]) => [algorithm, hash.digest('hex')]))
    requireDigests(this.#asked, found)
  }
}

export function requireDigests(asked: Digests, found: Digests): void {
  const wrong = (Object.keys(asked) as Algorithm[]).some((algorithm) => asked[algorithm] !== found[algorithm])
  if (wrong) throw new Problem('checksum_mismatch', { members: { ...found } })
}

/** `sha-256=:…:, md5=:…:`; the colons are of RFC 9530, and may be missing. */
const pairsOf = (text: string): [string, string][] =>
  text.split(',').flatMap((pair): [string, string][] => {
    const [, name, base64] = /^\s*([\w-]+)=:?([A-Za-z0-9+/=]*):?\s*$/.exec(pair) ?? []
    return name === undefined || base64 === undefined ? [] : [[name.toLowerCase(), base64]]
  })

function hexOf(base64: string, bytes: number, pointer: string): string {
  const digest = Buffer.from(base64, 'base64')
  if (digest.length !== bytes) throw invalidField(pointer, `must be the Base64 of ${bytes} bytes`)
  return digest.toString('hex')
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header.join(', ') : header
