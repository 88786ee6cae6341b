import type { Migration } from '../engines/metadata/index.ts'

declare module '../engines/metadata/index.ts' {
  interface Tables {
    idempotency_keys: {
      caller: string
      key: string
      /** A hash of the request: the same key may not be used for another one. */
      fingerprint: string
      /**
       * The token of the claim that may answer. A claim that was taken over has another token, so the old holder's
       * answer is refused.
       */
      claim: string
      claimed_until: string
      expires_at: string
      status: number | null
      /** Sealed, because answers may hold secrets that are shown only once. */
      answer: string | null
    }
  }
}

export const idempotencyMigrations: readonly Migration[] = [
  {
    id: 'http/001-idempotency-keys',
    async up(db, type) {
      await db.schema
        .createTable('idempotency_keys')
        .addColumn('caller', type.text, (column) => column.notNull())
        .addColumn('key', type.text, (column) => column.notNull())
        .addColumn('fingerprint', type.text, (column) => column.notNull())
        .addColumn('claim', type.text, (column) => column.notNull())
        .addColumn('claimed_until', type.text, (column) => column.notNull())
        .addColumn('expires_at', type.text, (column) => column.notNull())
        .addColumn('status', type.integer)
        .addColumn('answer', type.text)
        .addPrimaryKeyConstraint('idempotency_keys_pk', ['caller', 'key'])
        .execute()
      await db.schema.createIndex('idempotency_keys_expires_at').on('idempotency_keys').column('expires_at').execute()
    }
  }
]
