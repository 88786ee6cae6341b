import { createPrivateKey, type KeyObject } from 'node:crypto'

/** What precedes the seed in the PKCS #8 form of an Ed25519 private key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The private key made from 32 secret bytes: always the same one. */
export function privateKeyFromSeed(seed: Buffer): KeyObject {
  return createPrivateKey({ format: 'der', type: 'pkcs8', key: Buffer.concat([PKCS8_PREFIX, seed]) })
}
