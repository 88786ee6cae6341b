import type { Happening } from '../../../area.ts'
import { toIso } from '../../../engines/clock.ts'
import type { Db } from '../../../engines/metadata/index.ts'

/** A receiver that fails for less is tried again before anybody would look. */
const FAILING_MS = 60_000
const MAX_NAMED = 3
/** One more than alert rules take. */
const LIMIT = 1001

export interface FailingChannel {
  readonly id: string
  readonly name: string
  readonly since: string
  /** What the last attempt failed at: a stable word, and what the receiver said, which is not for everybody. */
  readonly code: string
  readonly error: string
}

const failing = (db: Db, nowMs: number) =>
  db
    .selectFrom('alert_channels')
    .where('enabled', '=', 1)
    .where('failing_since', '<=', toIso(nowMs - FAILING_MS))

/** How sending fares. */
export async function sendingOf(db: Db, nowMs: number) {
  const rows = await failing(db, nowMs)
    .select(['id', 'name', 'failing_since', 'last_error'])
    .orderBy('failing_since')
    .limit(MAX_NAMED)
    .execute()
  const count = async (query: ReturnType<typeof failing>) =>
    Number((await query.select((select) => select.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count)
  const all = await count(db.selectFrom('alert_channels').where('enabled', '=', 1) as ReturnType<typeof failing>)
  const failed = await count(failing(db, nowMs))
  const { waiting, first } = await db
    .selectFrom('alert_deliveries')
    // What waits for a channel that somebody has disabled is meant to.
    .innerJoin('alert_channels', 'alert_channels.id', 'alert_deliveries.channel_id')
    .select((select) => [
      select.fn.countAll<number>().as('waiting'),
      select.fn.min<string | null>('alert_deliveries.created_at').as('first')
    ])
    .where('state', '=', 'waiting')
    .where('enabled', '=', 1)
    .executeTakeFirstOrThrow()
  return {
    channels: { well: all - failed, failing: failed },
    failing: rows.map(
      ({ id, name, failing_since, last_error }): FailingChannel => ({
        id,
        name,
        since: failing_since ?? '',
        code: last_error?.split(':')[0] ?? '',
        error: last_error ?? ''
      })
    ),
    waiting: Number(waiting),
    waitingMs: first === null ? 0 : Math.max(0, nowMs - Date.parse(first))
  }
}

/** Rules that can't be evaluated: nobody would be told of what they watch. */
export async function failingRules(db: Db): Promise<{ happenings: Happening[]; cursor: string }> {
  const rows = await db
    .selectFrom('alert_rules')
    .select(['id', 'name'])
    .where('enabled', '=', 1)
    .where('state', '=', 'error')
    .limit(LIMIT)
    .execute()
  return { happenings: rows.map(({ id, name }) => ({ alertRule: id, alertRuleName: name })), cursor: '' }
}

/** As something that alert rules can be about, so that another channel is told. */
export async function failingSince(db: Db, nowMs: number): Promise<{ happenings: Happening[]; cursor: string }> {
  const rows = await failing(db, nowMs).select(['id', 'name']).limit(LIMIT).execute()
  return { happenings: rows.map(({ id, name }) => ({ channel: id, channelName: name })), cursor: '' }
}
