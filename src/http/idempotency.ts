import { createHash } from 'node:crypto'
import { type Clock, toIso } from '../engines/clock.ts'
import type { MakeId } from '../engines/ids.ts'
import type { Db, Metadata, Migration } from '../engines/metadata/index.ts'
import type { Vault } from '../engines/vault/index.ts'
import { invalidField, Problem } from '../errors.ts'
import type { Permission } from './permissions.ts'

declare module '../engines/metadata/index.ts' {
  interface Tables {
    idempotency_keys: {
      caller: string
      key: string
      /** What was asked: the same key may not ask for something else. */
      fingerprint: string
      /** Who may answer. A claim that was taken over has another token, and its answer is refused. */
      claim: string
      claimed_until: string
      expires_at: string
      status: number | null
      /** Sealed: answers may hold what is shown only once. */
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

const KEPT_MS = 24 * 3600_000
const CLAIM_MS = 60_000
const PRUNE_BATCH = 1000

export interface Answer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/** An answer that was given before, with all that its caller was allowed then: it may hold what only those rights let one see. */
export interface Remembered extends Answer {
  readonly rights: readonly Permission[]
}

export interface Claim {
  readonly caller: string
  readonly key: string
  readonly token: string
}

interface Needs {
  metadata: Metadata
  vault: Vault
  clock: Clock
  makeId: MakeId
}

/** Remembers the answers to requests that carry an `Idempotency-Key`, so that sending one again does nothing twice. */
export function createIdempotency({ metadata, vault, clock, makeId }: Needs) {
  const context = ({ caller, key }: Pick<Claim, 'caller' | 'key'>) => `idempotency:${caller}/${key}`

  return {
    /** Claims the key for this request, or answers with what the first request was told. */
    async begin(caller: string, header: string, asked: string): Promise<Claim | Remembered> {
      const key = parseKey(header)
      const fingerprint = createHash('sha256').update(asked).digest('base64url')
      const now = clock.now()
      const token = makeId('claim')
      const claim = {
        fingerprint,
        claim: token,
        claimed_until: toIso(now + CLAIM_MS),
        expires_at: toIso(now + KEPT_MS)
      }
      return metadata.transaction(async (tx) => {
        const inserted = await tx
          .insertInto('idempotency_keys')
          .values({ caller, key, ...claim, status: null, answer: null })
          .onConflict((conflict) => conflict.columns(['caller', 'key']).doNothing())
          .returning('claim')
          .executeTakeFirst()
        if (inserted !== undefined) return { caller, key, token }
        const row = await tx
          .selectFrom('idempotency_keys')
          .selectAll()
          .where('caller', '=', caller)
          .where('key', '=', key)
          .forUpdate()
          .executeTakeFirst()
        // Its holder failed and gave it back a moment ago.
        if (row === undefined) throw running()
        const expired = row.expires_at <= toIso(now)
        if (!expired && row.fingerprint !== fingerprint) throw new Problem('idempotency_key_reused')
        if (!expired && row.status !== null) {
          const kept = JSON.parse(vault.open(row.answer as string, context({ caller, key })))
          return { rights: [], ...kept, status: row.status } as Remembered
        }
        // A claim whose holder died is taken over: its change and its answer would have been committed together.
        if (!expired && row.claimed_until > toIso(now)) throw running()
        await tx
          .updateTable('idempotency_keys')
          .set({ ...claim, status: null, answer: null })
          .where('caller', '=', caller)
          .where('key', '=', key)
          .execute()
        return { caller, key, token }
      })
    },

    /** Renews the claim of work that takes longer, until what this answers is called. */
    keep(claim: Claim): () => void {
      let cancel = () => {}
      const renew = () => {
        const claimedUntil = toIso(clock.now() + CLAIM_MS)
        void metadata
          .transaction((tx) =>
            tx
              .updateTable('idempotency_keys')
              .set({ claimed_until: claimedUntil })
              .where('caller', '=', claim.caller)
              .where('key', '=', claim.key)
              .where('claim', '=', claim.token)
              .execute()
          )
          .catch(() => {}) // tried again well before the claim ends
        cancel = clock.after(CLAIM_MS / 3, renew)
      }
      cancel = clock.after(CLAIM_MS / 3, renew)
      return () => cancel()
    },

    /** Keeps the answer, in the transaction of the change it tells of. */
    async finish(tx: Db, claim: Claim, { status, headers, body, rights }: Remembered): Promise<void> {
      const kept = await tx
        .updateTable('idempotency_keys')
        .set({ status, answer: vault.seal(JSON.stringify({ headers, body, rights }), context(claim)) })
        .where('caller', '=', claim.caller)
        .where('key', '=', claim.key)
        .where('claim', '=', claim.token)
        .returning('key')
        .executeTakeFirst()
      if (kept === undefined) throw running()
    },

    /** Gives the key back after a request that changed nothing. */
    async release(claim: Claim): Promise<void> {
      await metadata.transaction((tx) =>
        tx
          .deleteFrom('idempotency_keys')
          .where('caller', '=', claim.caller)
          .where('key', '=', claim.key)
          .where('claim', '=', claim.token)
          .where('status', 'is', null)
          .execute()
      )
    },

    /** Forgets a batch of answers that are older than a day; answers how many. */
    async prune(tx: Db): Promise<number> {
      const now = clock.iso()
      const old = await tx
        .selectFrom('idempotency_keys')
        .select(['caller', 'key'])
        .where('expires_at', '<', now)
        .limit(PRUNE_BATCH)
        .execute()
      for (const { caller, key } of old) {
        // Looked at again, because the key may have been claimed anew in the meantime.
        await tx
          .deleteFrom('idempotency_keys')
          .where('caller', '=', caller)
          .where('key', '=', key)
          .where('expires_at', '<', now)
          .execute()
      }
      return old.length
    }
  }
}

export type Idempotency = ReturnType<typeof createIdempotency>

function running(): Problem {
  return new Problem('idempotency_key_running', { headers: { 'retry-after': '1' } })
}

/** Takes the key as the draft standard writes it, in quotes, and bare as most clients do. */
function parseKey(header: string): string {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw invalidField('/headers/idempotency-key', 'must be 1 to 255 visible ASCII characters, such as a UUID')
}
