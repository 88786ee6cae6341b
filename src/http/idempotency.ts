import { createHash } from 'node:crypto'
import { type Clock, toIso } from '../engines/clock.ts'
import type { MakeId } from '../engines/ids.ts'
import type { Db, Metadata } from '../engines/metadata/index.ts'
import type { Vault } from '../engines/vault/index.ts'
import { invalidField, Problem } from '../errors.ts'
import type { Permission } from './permissions.ts'

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
export class Idempotency {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  /** Claims the key for this request, or answers with what the first request was told. */
  async begin(caller: string, header: string, asked: string): Promise<Claim | Remembered> {
    const { clock, makeId, metadata } = this.#needs
    const key = parseKey(header)
    const now = clock.now()
    const token = makeId('claim')
    const claimed = {
      fingerprint: createHash('sha256').update(asked).digest('base64url'),
      claim: token,
      claimed_until: toIso(now + CLAIM_MS),
      expires_at: toIso(now + KEPT_MS)
    }
    return metadata.transaction(async (tx) => {
      const inserted = await tx
        .insertInto('idempotency_keys')
        .values({ caller, key, ...claimed, status: null, answer: null })
        .onConflict((conflict) => conflict.columns(['caller', 'key']).doNothing())
        .returning('claim')
        .executeTakeFirst()
      if (inserted !== undefined) return { caller, key, token }
      const remembered = await this.#look(tx, caller, key, claimed.fingerprint, toIso(now))
      if (remembered !== undefined) return remembered
      await tx
        .updateTable('idempotency_keys')
        .set({ ...claimed, status: null, answer: null })
        .where('caller', '=', caller)
        .where('key', '=', key)
        .execute()
      return { caller, key, token }
    })
  }

  /** Looks at a key that is not new: answers what is kept for it, undefined where it may be claimed again. */
  async #look(tx: Db, caller: string, key: string, fingerprint: string, now: string): Promise<Remembered | undefined> {
    const row = await tx
      .selectFrom('idempotency_keys')
      .selectAll()
      .where('caller', '=', caller)
      .where('key', '=', key)
      .forUpdate()
      .executeTakeFirst()
    // The request that held the key failed and gave it back a moment ago.
    if (row === undefined) throw running()
    if (row.expires_at <= now) return undefined
    if (row.fingerprint !== fingerprint) throw new Problem('idempotency_key_reused')
    if (row.status !== null) {
      const kept = JSON.parse(this.#needs.vault.open(row.answer as string, sealedFor({ caller, key })))
      return { rights: [], ...kept, status: row.status } as Remembered
    }
    // A claim whose holder died is taken over: its change and its answer would have been committed together.
    if (row.claimed_until > now) throw running()
    return undefined
  }

  /** Renews the claim for work that takes long, until the returned function is called. */
  keep(claim: Claim): () => void {
    const { clock, metadata } = this.#needs
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
  }

  /** Keeps the answer, in the transaction of the change that it belongs to. */
  async finish(tx: Db, claim: Claim, { status, headers, body, rights }: Remembered): Promise<void> {
    const kept = await tx
      .updateTable('idempotency_keys')
      .set({ status, answer: this.#needs.vault.seal(JSON.stringify({ headers, body, rights }), sealedFor(claim)) })
      .where('caller', '=', claim.caller)
      .where('key', '=', claim.key)
      .where('claim', '=', claim.token)
      .returning('key')
      .executeTakeFirst()
    if (kept === undefined) throw running()
  }

  /** Gives the key back after a request that changed nothing. */
  async release(claim: Claim): Promise<void> {
    await this.#needs.metadata.transaction((tx) =>
      tx
        .deleteFrom('idempotency_keys')
        .where('caller', '=', claim.caller)
        .where('key', '=', claim.key)
        .where('claim', '=', claim.token)
        .where('status', 'is', null)
        .execute()
    )
  }

  /** Forgets a batch of answers that are older than a day; answers how many. */
  async prune(tx: Db): Promise<number> {
    const now = this.#needs.clock.iso()
    const old = await tx
      .selectFrom('idempotency_keys')
      .select(['caller', 'key'])
      .where('expires_at', '<', now)
      .limit(PRUNE_BATCH)
      .execute()
    for (const { caller, key } of old) {
      // The keys are checked again here, because one may have been claimed anew in the meantime.
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

/** The context that a kept answer is sealed with: it can't be opened as the answer of another key. */
function sealedFor({ caller, key }: Pick<Claim, 'caller' | 'key'>): string {
  return `idempotency:${caller}/${key}`
}

function running(): Problem {
  return new Problem('idempotency_key_running', { headers: { 'retry-after': '1' } })
}

/** Takes the key as the draft standard writes it, in quotes, and bare as most clients do. */
function parseKey(header: string): string {
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw invalidField('/headers/idempotency-key', 'must be 1 to 255 visible ASCII characters, such as a UUID')
}
