import { type Db, hasRows } from '../../../engines/metadata/index.ts'
import { fetchPage } from '../../../http/paging.ts'
import type { AlertLabelRow, AlertRow } from '../migrations.ts'
import { shownNumber } from '../rules/words.ts'
import type { Alert, AlertQuery } from './schema.ts'

/** Databases limit the number of values in a statement. */
const AT_ONCE = 100

export const findAlert = (db: Db, id: string): Promise<AlertRow | undefined> =>
  db.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirst()

export const lockAlert = (tx: Db, id: string): Promise<AlertRow | undefined> =>
  tx.selectFrom('alerts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export async function lockAlerts(tx: Db, ids: readonly string[]): Promise<AlertRow[]> {
  const rows: AlertRow[] = []
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = tx
      .selectFrom('alerts')
      .selectAll()
      .where('id', 'in', ids.slice(from, from + AT_ONCE))
    rows.push(...(await some.forUpdate().execute()))
  }
  return rows
}

export async function insertAlerts(tx: Db, rows: readonly AlertRow[]): Promise<void> {
  const labels = rows.flatMap(({ id, labels }): AlertLabelRow[] =>
    Object.entries(JSON.parse(labels) as Record<string, string>).map(([name, value]) => ({ alert_id: id, name, value }))
  )
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    await tx
      .insertInto('alerts')
      .values(rows.slice(from, from + AT_ONCE))
      .execute()
  }
  for (let from = 0; from < labels.length; from += AT_ONCE) {
    await tx
      .insertInto('alert_labels')
      .values(labels.slice(from, from + AT_ONCE))
      .execute()
  }
}

export const updateAlert = (tx: Db, row: AlertRow) =>
  tx.updateTable('alerts').set(row).where('id', '=', row.id).execute()

/** Resolves alerts that are over by themselves, all for one reason. */
export async function resolveAlerts(tx: Db, ids: readonly string[], reason: string, at: string): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    await tx
      .updateTable('alerts')
      .set((set) => ({ state: 'resolved', resolved_at: at, resolve_reason: reason, version: set('version', '+', 1) }))
      .where('id', 'in', ids.slice(from, from + AT_ONCE))
      .execute()
  }
}

export interface AlertFilter extends Pick<AlertQuery, 'limit' | 'cursor' | 'sort' | 'state' | 'ruleId' | 'severity'> {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly label?: { readonly name: string; readonly value: string } | undefined
}

export function listAlerts(db: Db, { from, to, label, ...query }: AlertFilter) {
  let select = db.selectFrom('alerts').selectAll()
  if (query.state !== undefined) select = select.where('state', '=', query.state)
  if (query.ruleId !== undefined) select = select.where('rule_id', '=', query.ruleId)
  if (query.severity !== undefined) select = select.where('severity', '=', query.severity)
  if (from !== undefined) select = select.where('started_at', '>=', from)
  if (to !== undefined) select = select.where('started_at', '<', to)
  if (label !== undefined) {
    const named = db.selectFrom('alert_labels').select('alert_id').where('name', '=', label.name)
    select = select.where('id', 'in', named.where('value', '=', label.value))
  }
  return fetchPage(select, query, { sorts: { startedAt: 'started_at' }, id: 'id', defaultSort: '-startedAt' })
}

/** Deletes some alerts that were resolved before a time; answers how many. */
export async function deleteOldAlerts(tx: Db, before: string, limit: number): Promise<number> {
  const old = await tx
    .selectFrom('alerts')
    .select('id')
    .where('resolved_at', '<', before)
    .orderBy('resolved_at')
    .limit(limit)
    .execute()
  if (old.length === 0) return 0
  const ids = old.map(({ id }) => id)
  await tx.deleteFrom('alert_labels').where('alert_id', 'in', ids).execute()
  await tx.deleteFrom('alert_group_members').where('alert_id', 'in', ids).execute()
  await tx.deleteFrom('alerts').where('id', 'in', ids).execute()
  return ids.length
}

const runOut = (db: Db, now: string) =>
  db.selectFrom('alerts').where('state', '=', 'acknowledged').where('acknowledged_until', '<=', now)

export const hasRunOut = (db: Db, now: string): Promise<boolean> => hasRows(runOut(db, now))

/** Alerts whose acknowledgement has run out. */
export const lockRunOut = (tx: Db, now: string, limit: number): Promise<AlertRow[]> =>
  runOut(tx, now).selectAll().limit(limit).forUpdate().execute()

export function toAlert(row: AlertRow): Alert {
  return {
    id: row.id,
    ruleId: row.rule_id,
    ruleName: row.rule_name,
    labels: JSON.parse(row.labels),
    annotations: JSON.parse(row.annotations),
    severity: row.severity,
    state: row.state,
    value: shownNumber(row.value),
    threshold: shownNumber(row.threshold),
    cause: row.cause,
    startedAt: row.started_at,
    acknowledgedAt: row.acknowledged_at,
    acknowledgedBy: row.acknowledged_by,
    acknowledgedUntil: row.acknowledged_until,
    note: row.note,
    resolvedAt: row.resolved_at,
    resolvedBy: row.resolved_by,
    resolveReason: row.resolve_reason as Alert['resolveReason'],
    version: row.version
  }
}
