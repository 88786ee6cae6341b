import type { Db } from '../../../engines/metadata/index.ts'
import type { Resource, ResourceUser } from '../../../http/in-use.ts'
import { contains, fetchPage } from '../../../http/paging.ts'
import type { InstanceRow, RuleRow, RuleUseRow } from '../migrations.ts'
import type { InstanceQuery, RuleQuery } from './schema.ts'

export const findRule = (db: Db, id: string): Promise<RuleRow | undefined> =>
  db.selectFrom('alert_rules').selectAll().where('id', '=', id).executeTakeFirst()

export const lockRule = (tx: Db, id: string): Promise<RuleRow | undefined> =>
  tx.selectFrom('alert_rules').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const insertRule = (tx: Db, row: RuleRow) => tx.insertInto('alert_rules').values(row).execute()

export const updateRule = (tx: Db, row: RuleRow) =>
  tx.updateTable('alert_rules').set(row).where('id', '=', row.id).execute()

export async function deleteRule(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('alert_rule_uses').where('rule_id', '=', id).execute()
  await tx.deleteFrom('alert_rules').where('id', '=', id).execute()
}

export function listRules(db: Db, query: RuleQuery) {
  let select = db.selectFrom('alert_rules').selectAll()
  if (query.q !== undefined) select = select.where(contains('name', query.q))
  if (query.state !== undefined) select = select.where('state', '=', query.state)
  if (query.severity !== undefined) select = select.where('severity', '=', query.severity)
  if (query.enabled !== undefined) select = select.where('enabled', '=', query.enabled ? 1 : 0)
  return fetchPage(select, query, { sorts: { name: 'name', createdAt: 'id' }, id: 'id' })
}

export function listInstances(db: Db, ruleId: string, query: InstanceQuery) {
  let select = db.selectFrom('alert_instances').selectAll().where('rule_id', '=', ruleId)
  if (query.state !== undefined) select = select.where('state', '=', query.state)
  return fetchPage(select, query, { sorts: { labels: 'labels' }, id: 'labels' })
}

/** All instances of a rule; bounded by the instances that a rule may have. */
export const instancesOf = (tx: Db, ruleId: string): Promise<InstanceRow[]> =>
  tx.selectFrom('alert_instances').selectAll().where('rule_id', '=', ruleId).forUpdate().execute()

export const deleteInstances = (tx: Db, ruleId: string) =>
  tx.deleteFrom('alert_instances').where('rule_id', '=', ruleId).execute()

/** Writes what a rule names of other areas, in the transaction that writes the rule. */
export async function saveUses(tx: Db, ruleId: string, resources: readonly Resource[]): Promise<void> {
  await tx.deleteFrom('alert_rule_uses').where('rule_id', '=', ruleId).execute()
  if (resources.length === 0) return
  const rows = resources.map(({ type, id }): RuleUseRow => ({ rule_id: ruleId, resource_type: type, resource_id: id }))
  await tx.insertInto('alert_rule_uses').values(rows).execute()
}

/** The rules that read a resource, or tell it of their alerts. */
export async function usersOf(db: Db, { type, id }: Resource, limit: number): Promise<ResourceUser[]> {
  const rows = type === 'alert-channel' ? await tellersOf(db, id, limit) : await readersOf(db, { type, id }, limit)
  return rows.map((row) => ({ type: 'alert-rule', ...row }))
}

const tellersOf = (db: Db, channelId: string, limit: number) =>
  db
    .selectFrom('alert_rules')
    .select(['id', 'name'])
    .where('id', 'in', db.selectFrom('alert_rule_channels').select('rule_id').where('channel_id', '=', channelId))
    .orderBy('id')
    .limit(limit)
    .execute()

const readersOf = (db: Db, { type, id }: Resource, limit: number) =>
  db
    .selectFrom('alert_rule_uses')
    .innerJoin('alert_rules', 'alert_rules.id', 'alert_rule_uses.rule_id')
    .select(['alert_rules.id', 'alert_rules.name'])
    .where('resource_type', '=', type)
    .where('resource_id', '=', id)
    .orderBy('alert_rules.id')
    .limit(limit)
    .execute()
