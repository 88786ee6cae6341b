import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/**
 * Seals secrets with AES-256-GCM, and derives every other key of the platform from the same one: what is to be kept
 * safe, and given to each replica, is a single secret.
 */
export interface Vault {
  /** Seals `text` for `context` (say `provider:sp_1/secretKey`): it can't be opened as anything else. */
  seal(text: string, context: string): string
  /** Opens what `seal` made; throws `SealBroken` where it was altered, moved, or sealed under another key. */
  open(sealed: string, context: string): string
  /** 32 bytes that are always the same for a purpose and tell nothing about the secret or one another. */
  derive(purpose: string): Buffer
  /** The same for each secret, the current one first: to check what was made before a secret was replaced. */
  deriveAll(purpose: string): readonly [Buffer, ...Buffer[]]
}

export class SealBroken extends Error {
  constructor() {
    super('A sealed value was altered, belongs elsewhere, or was sealed under a SECRET_KEY that is not configured')
  }
}

const IV_BYTES = 12
const TAG_BYTES = 16

/** The first secret seals; the others still open what was sealed before they were replaced. */
export function createVault(secrets: readonly [string, ...string[]]): Vault {
  const keys = secrets.map((secret) => {
    const key = expand(secret, 'vault')
    return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key }
  })
  const [current] = keys as [{ id: string; key: Buffer }]

  return {
    seal(text, context) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', current.key, iv).setAAD(Buffer.from(context))
      const body = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `v1.${current.id}.${body.toString('base64url')}`
    },
    open(sealed, context) {
      const [, keyId, encoded] = /^v1\.([\da-f]{8})\.([\w-]+)$/.exec(sealed) ?? []
      const key = keys.find(({ id }) => id === keyId)?.key
      if (key === undefined || encoded === undefined) throw new SealBroken()
      const body = Buffer.from(encoded, 'base64url')
      if (body.length < IV_BYTES + TAG_BYTES) throw new SealBroken()
      const decipher = createDecipheriv('aes-256-gcm', key, body.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(context)).setAuthTag(body.subarray(-TAG_BYTES))
      try {
        return decipher.update(body.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        throw new SealBroken()
      }
    },
    derive: (purpose) => expand(secrets[0], purpose),
    deriveAll: (purpose) => secrets.map((secret) => expand(secret, purpose)) as [Buffer, ...Buffer[]]
  }
}

function expand(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, 'millrace', purpose, 32))
}
