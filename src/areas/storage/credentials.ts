import type { Vault } from '../../engines/vault/index.ts'
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

/** What was sent, with what is there already in place of the mask. */
export function unmask(sent: Credentials, known: Credentials | undefined): Credentials {
  return {
    accessKey: sent.accessKey === MASK ? (known?.accessKey ?? '') : sent.accessKey,
    secretKey: sent.secretKey === MASK ? (known?.secretKey ?? '') : sent.secretKey
  }
}
