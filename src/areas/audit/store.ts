import { sql } from 'kysely'
import type { Db } from '../../engines/metadata/index.ts'
import { fetchPage } from '../../http/paging.ts'
import type { AuditRow } from './migrations.ts'
import { type AuditLog, type AuditQuery, NEWEST_FIRST } from './schema.ts'

type Filter = Omit<AuditQuery, 'limit' | 'cursor' | 'sort'>

function filtered(db: Db, filter: Filter) {
  let select = db.selectFrom('audit_logs').selectAll()
  if (filter.user !== undefined) select = select.where('user_id', '=', filter.user)
  if (filter.apiKeyId !== undefined) select = select.where('api_key_id', '=', filter.apiKeyId)
  if (filter.action !== undefined) select = select.where(actionMatches(filter.action))
  if (filter.resourceType !== undefined) select = select.where('resource_type', '=', filter.resourceType)
  if (filter.resourceId !== undefined) select = select.where('resource_id', '=', filter.resourceId)
  if (filter.outcome !== undefined) select = select.where('outcome', '=', filter.outcome)
  if (filter.from !== undefined) select = select.where('time', '>=', normal(filter.from))
  if (filter.to !== undefined) select = select.where('time', '<', normal(filter.to))
  return select
}

function actionMatches(action: string) {
  if (!action.endsWith('*')) return sql<boolean>`action = ${action}`
  const beginning = action.slice(0, -1)
  // Not `like`, which ignores case in one database and not in the other.
  return sql<boolean>`substr(action, 1, ${sql.lit([...beginning].length)}) = ${beginning}`
}

/** The stored form of any ISO time. */
const normal = (time: string) => new Date(time).toISOString()

/** Sorted by identifier: identifiers sort by time and, unlike times, are unique. */
const listing = { sorts: { time: 'id' }, id: 'id', defaultSort: NEWEST_FIRST } as const

export const listLogs = (db: Db, query: AuditQuery) => fetchPage(filtered(db, query), query, listing)

export const countLogs = (db: Db, filter: Filter, group: 'day' | 'action') => {
  const value = group === 'day' ? sql<string>`substr(time, 1, 10)` : sql<string>`action`
  return filtered(db, filter)
    .clearSelect()
    .select([value.as('value'), sql<number>`count(*)`.as('count')])
    .groupBy(value)
    .orderBy(group === 'day' ? 'value' : sql`count(*) desc, action`)
    .limit(1000)
    .execute()
}

const EXPORT_CHUNK = 500

/** All rows that fit the filter, oldest first, in chunks. */
export async function* exportLogs(db: Db, filter: Filter): AsyncGenerator<AuditRow[]> {
  let after = ''
  for (;;) {
    const rows = await filtered(db, filter).where('id', '>', after).orderBy('id').limit(EXPORT_CHUNK).execute()
    if (rows.length > 0) yield rows
    if (rows.length < EXPORT_CHUNK) return
    after = rows.at(-1)?.id as string
  }
}

export function listCheckpoints(db: Db, query: { limit?: number; cursor?: string; sort?: string }) {
  const identified = sql<string>`time || '/' || lane`.as('id')
  const select = db
    .selectFrom(db.selectFrom('audit_checkpoints').selectAll().select(identified).as('checkpoints'))
    .selectAll()
  return fetchPage(select, query, { sorts: { time: 'id' }, id: 'id', defaultSort: NEWEST_FIRST })
}

export function toLog(row: AuditRow): AuditLog {
  return {
    id: row.id,
    time: row.time,
    user: row.user_id === null ? null : { id: row.user_id, name: row.user_name ?? '' },
    apiKey: row.api_key_id === null ? null : { id: row.api_key_id, name: row.api_key_name ?? '' },
    action: row.action,
    resourceType: row.resource_type,
    resourceId: row.resource_id,
    outcome: row.outcome as AuditLog['outcome'],
    status: row.status,
    code: row.code,
    ip: row.ip,
    userAgent: row.user_agent,
    requestId: row.request_id,
    changes: row.changes === null ? null : JSON.parse(row.changes),
    lane: row.lane,
    seq: row.seq,
    hash: row.hash
  }
}
