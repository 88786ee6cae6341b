import { endpointText, type Place, strangeFields } from '../../engines/places/index.ts'
import type { Vault } from '../../engines/vault/index.ts'
import { type FieldError, invalidField, Problem } from '../../errors.ts'
import type { ProviderRow } from './migrations.ts'
import { type Credentials, MASK } from './schema.ts'
import type { Connection } from './settings.ts'

const contextOf = (id: string) => `storage-provider:${id}/credentials`

export function sealCredentials(vault: Vault, id: string, credentials: Credentials | undefined): string | null {
  return credentials === undefined ? null : vault.seal(JSON.stringify(credentials), contextOf(id))
}

export function openCredentials(vault: Vault, row: Pick<ProviderRow, 'id' | 'credentials'>): Credentials | undefined {
  return row.credentials === null
    ? undefined
    : (JSON.parse(vault.open(row.credentials, contextOf(row.id))) as Credentials)
}

/** Refuses the mask that readers get in place of a secret: it can't be a secret itself. */
export function refuseMask(credentials: Credentials | undefined): void {
  for (const [field, value] of Object.entries(credentials ?? {})) {
    if (value === MASK) throw invalidField(`/credentials/${field}`, 'must be the secret itself')
  }
}

interface Held {
  readonly connection: Connection
  readonly credentials: Credentials | undefined
}

/**
 * The credentials that were sent, with the stored ones in place of masks, or of all where none were sent. Stored ones
 * are only kept for the same server as before: a caller who may not see them could otherwise have them sent
 * elsewhere.
 */
export function keepCredentials(
  sent: Credentials | null | undefined,
  known: Held,
  connection: Connection
): Credentials | undefined {
  if (sent === null) return undefined
  if (known.credentials === undefined) {
    refuseMask(sent)
    return sent
  }
  const { accessKey, secretKey } = sent ?? { accessKey: MASK, secretKey: MASK }
  const kept = {
    accessKey: accessKey === MASK ? known.credentials.accessKey : accessKey,
    secretKey: secretKey === MASK ? known.credentials.secretKey : secretKey
  }
  const strange = strangeFields(placeOf(known.connection), placeOf(connection))
  const errors: FieldError[] = []
  if (accessKey === MASK && strange.length > 0) errors.push(bound('accessKey', strange))
  if (secretKey === MASK) {
    const isOther = kept.accessKey !== known.credentials.accessKey
    const fields = isOther ? [...strange, 'credentials.accessKey'] : strange
    if (fields.length > 0) errors.push(bound('secretKey', fields))
  }
  if (errors.length > 0) throw new Problem('secret_bound', { errors })
  return kept
}

/** The server that gets to see the credentials. Buckets, and how they are named, do not matter. */
function placeOf({ type, endpoint, port, use_tls, region }: Connection): Place {
  const useTls = use_tls === 1
  return {
    type: [type],
    endpoint: [endpoint === null ? '' : endpointText(endpoint, port ?? (useTls ? 443 : 80))],
    useTls: [String(useTls)],
    // Without an endpoint, the vendor has a server for each region.
    region: [endpoint === null ? (region ?? '') : '']
  }
}

function bound(field: keyof Credentials, fields: readonly string[]): FieldError {
  const others = fields.join(', ')
  const message = `was given for another ${others}; send it itself, or ${others} as before`
  return { pointer: `/credentials/${field}`, message }
}
