import type { Vault } from '../../engines/vault/index.ts'
import { invalidField } from '../../errors.ts'
import type { ProviderRow } from './migrations.ts'
import { type Credentials, MASK } from './schema.ts'

const contextOf = (id: string) => `storage-provider:${id}/credentials`

export function sealCredentials(vault: Vault, id: string, credentials: Credentials | undefined): string | null {
  return credentials === undefined ? null : vault.seal(JSON.stringify(credentials), contextOf(id))
}

export function openCredentials(vault: Vault, row: Pick<ProviderRow, 'id' | 'credentials'>): Credentials | undefined {
  return row.credentials === null
    ? undefined
    : (JSON.parse(vault.open(row.credentials, contextOf(row.id))) as Credentials)
}

/** The mask is what a reader gets in place of a secret; it was never one. */
export function refuseMask(credentials: Credentials | undefined): void {
  for (const [field, value] of Object.entries(credentials ?? {})) {
    if (value === MASK) throw invalidField(`/credentials/${field}`, 'must be the secret itself')
  }
}

/** What was sent, with what is there already in place of the mask. */
export function unmask(sent: Credentials, known: Credentials | undefined): Credentials {
  return {
    accessKey: sent.accessKey === MASK ? (known?.accessKey ?? '') : sent.accessKey,
    secretKey: sent.secretKey === MASK ? (known?.secretKey ?? '') : sent.secretKey
  }
}
