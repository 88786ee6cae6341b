import { sql } from 'kysely'
import { type Finding, fail, type Installation, ok, warn } from '../../finding.ts'

/** No correct clock shows an earlier time. */
const RELEASED = '2026-01-01T00:00:00.000Z'
/** The difference that checks of tokens tolerate. */
const MAX_SKEW_MS = 30_000
const SUBJECT = 'clock'

interface Witness {
  readonly name: string
  readonly timeMs: number
}

/** Compares the clock with all other sources of the time. */
export async function checkClock(installation: Installation, providerDate: string | undefined): Promise<Finding> {
  const { clock } = installation
  const witnesses = [await databaseClock(installation), providerClock(providerDate)].filter((one) => one !== undefined)
  const off = witnesses.find(({ timeMs }) => Math.abs(timeMs - clock.now()) > MAX_SKEW_MS)
  if (clock.iso() < RELEASED) return fail(SUBJECT, `it says ${clock.iso()}: set it, tokens can't be checked without`)
  if (off !== undefined) {
    const skewS = Math.round(Math.abs(off.timeMs - clock.now()) / 1000)
    return fail(SUBJECT, `it differs by ${skewS} s from that of the ${off.name}: have both set by NTP`)
  }
  const newest = await newestAuditTime(installation)
  if (newest !== undefined && Date.parse(newest) > clock.now() + MAX_SKEW_MS) {
    return warn(SUBJECT, `it says ${clock.iso()}, but the audit trail goes on to ${newest}: it was set back`)
  }
  return ok(SUBJECT, clock.iso())
}

async function databaseClock({ config, metadata }: Installation): Promise<Witness | undefined> {
  if (metadata === undefined || config.databaseUrl === undefined) return undefined
  const query = sql<{ ms: number }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`
  const { rows } = await query.execute(metadata.db)
  return rows[0] && { name: 'database', timeMs: rows[0].ms }
}

function providerClock(date: string | undefined): Witness | undefined {
  const timeMs = Date.parse(date ?? '')
  return Number.isNaN(timeMs) ? undefined : { name: 'identity provider', timeMs }
}

async function newestAuditTime({ metadata }: Installation): Promise<string | undefined> {
  if (metadata === undefined) return undefined
  try {
    const newest = metadata.db.selectFrom('audit_logs').select('time').orderBy('id', 'desc').limit(1)
    return (await newest.executeTakeFirst())?.time
  } catch {
    return undefined // no such table before the first start
  }
}
