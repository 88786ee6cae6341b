import { createHmac, createPublicKey, hash, type KeyObject, sign, timingSafeEqual, verify } from 'node:crypto'
import { privateKeyFromSeed } from '../../engines/ed25519.ts'
import type { Vault } from '../../engines/vault/index.ts'
import type { AuditHeadRow, AuditRow, CheckpointRow } from './migrations.ts'

export const MAX_LANES = 16
/** The previous hash of the first row of each lane. */
export const GENESIS = 'genesis'

/** The columns that every row hashes, in this order for ever: anyone can check an export with a few lines of code. */
const HASHED = [
  'lane',
  'seq',
  'id',
  'time',
  'user_id',
  'user_name',
  'action',
  'resource_type',
  'resource_id',
  'outcome',
  'status',
  'code',
  'ip',
  'user_agent',
  'request_id',
  'changes'
] as const satisfies readonly (keyof AuditRow)[]

/**
 * The columns that a row with an API key hashes after the others; a row without one is hashed as before they existed.
 */
const KEY_HASHED = ['api_key_id', 'api_key_name'] as const satisfies readonly (keyof AuditRow)[]

/** Every column of a row. */
export const COLUMNS = [
  ...HASHED,
  ...KEY_HASHED,
  'previous_hash',
  'hash'
] as const satisfies readonly (keyof AuditRow)[]

/** SHA-256 over the hash before and the row's own values. */
export function rowHash(previous: string, row: Omit<AuditRow, 'previous_hash' | 'hash'>): string {
  // Undefined in a database of an older version, which the command line may read before an upgrade.
  const named = KEY_HASHED.some((column) => (row[column] ?? null) !== null)
  const columns = named ? [...HASHED, ...KEY_HASHED] : HASHED
  return hash('sha256', `${previous}\n${JSON.stringify(columns.map((column) => row[column]))}`, 'base64url')
}

type Head = Pick<AuditHeadRow, 'lane' | 'seq' | 'hash'>
type Checkpoint = Omit<CheckpointRow, 'signature'>

export interface AuditKeys {
  /** A code over the end of the chain that only this server, which has the key, can make. */
  headCode(head: Head): string
  isHeadCode(head: Head, code: string): boolean
  signCheckpoint(checkpoint: Checkpoint): string
  isSignature(checkpoint: Checkpoint, signature: string): boolean
  /** The public keys, for checking checkpoints without this server. */
  readonly publicJwks: { readonly keys: readonly ReturnType<typeof exportJwk>[] }
}

/** New proofs use the current secret; proofs under earlier secrets are still accepted. */
export function createAuditKeys(vault: Vault): AuditKeys {
  const headKeys = vault.deriveAll('audit-head')
  const privateKeys = vault.deriveAll('audit-checkpoint').map(privateKeyFromSeed) as [KeyObject, ...KeyObject[]]
  const publicKeys = privateKeys.map((key) => createPublicKey(key)) as [KeyObject, ...KeyObject[]]
  return {
    headCode: (head) => headCode(headKeys[0], head),
    isHeadCode(head, code) {
      const given = Buffer.from(code)
      return headKeys.some((key) => {
        const expected = Buffer.from(headCode(key, head))
        return expected.length === given.length && timingSafeEqual(expected, given)
      })
    },
    signCheckpoint: (checkpoint) => sign(null, checkpointText(checkpoint), privateKeys[0]).toString('base64url'),
    isSignature(checkpoint, signature) {
      const given = Buffer.from(signature, 'base64url')
      return publicKeys.some((key) => verify(null, checkpointText(checkpoint), key, given))
    },
    publicJwks: { keys: publicKeys.map(exportJwk) }
  }
}

function headCode(key: Buffer, { lane, seq, hash }: Head): string {
  return createHmac('sha256', key).update(`${lane}\n${seq}\n${hash}`).digest('base64url')
}

function checkpointText({ lane, seq, hash, time }: Checkpoint): Buffer {
  return Buffer.from(`millrace-audit-checkpoint\n${lane}\n${seq}\n${hash}\n${time}`)
}

function exportJwk(key: KeyObject) {
  return { ...key.export({ format: 'jwk' }), use: 'sig', alg: 'EdDSA' }
}
