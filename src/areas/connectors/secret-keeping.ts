import type { KeptSecrets } from '../../engines/drivers/index.ts'
import type { Metadata } from '../../engines/metadata/index.ts'
import type { Vault } from '../../engines/vault/index.ts'
import type { ConnectorRow } from './migrations.ts'
import * as store from './store.ts'

/** What its secrets are sealed for. */
export const contextOf = (id: string) => `connector:${id}/secrets`

const TICKETS = 'connectors/tickets'

/**
 * Keeps secrets that services give in place of those of connectors. Nobody has changed a connector by that: it keeps its
 * version, and nothing is audited.
 */
export class SecretKeeping {
  readonly #metadata: Metadata
  readonly #vault: Vault

  constructor({ metadata, vault }: { readonly metadata: Metadata; readonly vault: Vault }) {
    this.#metadata = metadata
    this.#vault = vault
  }

  of(id: string): KeptSecrets {
    return {
      current: async (field) => {
        const row = await store.findConnector(this.#metadata.db, id)
        return row && textIn(this.#secretsOf(row), field)
      },
      replace: (field, before, next) =>
        this.#metadata.transaction(async (tx) => {
          const row = await store.lockConnector(tx, id)
          if (row === undefined) return undefined
          const secrets = this.#secretsOf(row)
          const kept = textIn(secrets, field)
          if (kept === undefined || kept !== before) return kept
          const sealed = this.#vault.seal(JSON.stringify({ ...secrets, [field]: next }), contextOf(id))
          await store.updateConnector(tx, { ...row, secrets: sealed })
          return next
        })
    }
  }

  /** Lets whoever reads a connector in another process ask for its secrets later, and for no others. */
  ticketFor(id: string): string {
    return this.#vault.seal(id, TICKETS)
  }

  /** Those of the connector that a ticket is for. */
  with(ticket: string): KeptSecrets {
    return this.of(this.#vault.open(ticket, TICKETS))
  }

  #secretsOf({ id, secrets }: ConnectorRow): Readonly<Record<string, unknown>> {
    return secrets === null ? {} : JSON.parse(this.#vault.open(secrets, contextOf(id)))
  }
}

function textIn(secrets: Readonly<Record<string, unknown>>, field: string): string | undefined {
  const secret = Object.hasOwn(secrets, field) ? secrets[field] : undefined
  return typeof secret === 'string' ? secret : undefined
}
