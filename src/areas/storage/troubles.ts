import type { Happening } from '../../area.ts'
import type { Clock } from '../../engines/clock.ts'
import type { Worker } from '../../engines/jobs/index.ts'
import type { Db } from '../../engines/metadata/index.ts'
import type { Found } from './provider-watch.ts'

/** One more than alert rules take. */
const LIMIT = 1001

/** Looks at the providers, and writes down which of them do not do as they should: alert rules ask the database. */
export function watchTroubles(clock: Clock, look: () => Promise<Found>): Worker<never> {
  return async ({ commit, signal }) => {
    const { reachable: _, ...wrong } = await look()
    if (signal.aborted) return
    const reasons = new Map(Object.entries(wrong).flatMap(([reason, ids]) => ids.map((id) => [id, reason] as const)))
    await commit((tx) => writeTroubles(tx, reasons, clock.iso()))
  }
}

/** What is wrong for the same reason as before keeps its time. */
async function writeTroubles(tx: Db, reasons: ReadonlyMap<string, string>, now: string): Promise<void> {
  const known = await tx.selectFrom('storage_troubles').select(['provider_id', 'reason']).execute()
  for (const { provider_id: id, reason } of known) {
    if (reasons.get(id) !== reason) await tx.deleteFrom('storage_troubles').where('provider_id', '=', id).execute()
  }
  const same = new Set(known.filter(({ provider_id: id, reason }) => reasons.get(id) === reason).map(idOf))
  for (const [id, reason] of reasons) if (!same.has(id)) await insertTrouble(tx, id, reason, now)
}

const idOf = ({ provider_id }: { readonly provider_id: string }) => provider_id

/** Nothing for a provider that was deleted since it was looked at. */
async function insertTrouble(tx: Db, id: string, reason: string, now: string): Promise<void> {
  const provider = await tx
    .selectFrom('storage_providers')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (provider === undefined) return
  await tx.insertInto('storage_troubles').values({ provider_id: id, reason, since: now }).execute()
}

/** Providers that did not do as they should at the last look. */
export async function failingProviders(db: Db): Promise<{ happenings: Happening[]; cursor: string }> {
  const rows = await db
    .selectFrom('storage_troubles')
    .innerJoin('storage_providers', 'storage_providers.id', 'storage_troubles.provider_id')
    .select(['provider_id', 'name', 'reason'])
    .limit(LIMIT)
    .execute()
  const happenings = rows.map(({ provider_id: provider, name, reason }) => ({ provider, providerName: name, reason }))
  return { happenings, cursor: '' }
}
