import type { Db } from '../../../engines/metadata/index.ts'
import type { Resource, ResourceUser } from '../../../http/in-use.ts'
import { contains, fetchPage } from '../../../http/paging.ts'
import type { RuleRow, RuleTriggerRow, RuleUseRow } from '../migrations.ts'
import type { RuleQuery } from './schema.ts'

export const findRule = (db: Db, id: string): Promise<RuleRow | undefined> =>
  db.selectFrom('quality_rules').selectAll().where('id', '=', id).executeTakeFirst()

export const lockRule = (tx: Db, id: string): Promise<RuleRow | undefined> =>
  tx.selectFrom('quality_rules').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export const insertRule = (tx: Db, row: RuleRow) => tx.insertInto('quality_rules').values(row).execute()

export const updateRule = (tx: Db, row: RuleRow) =>
  tx.updateTable('quality_rules').set(row).where('id', '=', row.id).execute()

/** Its results stay until they are old, like the scores that they have moved. */
export async function deleteRule(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('quality_rule_uses').where('rule_id', '=', id).execute()
  await tx.deleteFrom('quality_rule_triggers').where('rule_id', '=', id).execute()
  await tx.deleteFrom('quality_rules').where('id', '=', id).execute()
}

export function listRules(db: Db, query: RuleQuery) {
  let select = db.selectFrom('quality_rules').selectAll()
  if (query.q !== undefined) select = select.where(contains('name', query.q))
  if (query.dataset !== undefined) select = select.where('dataset', '=', query.dataset)
  if (query.type !== undefined) select = select.where('type', '=', query.type)
  if (query.severity !== undefined) select = select.where('severity', '=', query.severity)
  if (query.dimension !== undefined) select = select.where('dimension', '=', query.dimension)
  if (query.status !== undefined) select = select.where('status', '=', query.status)
  if (query.enabled !== undefined) select = select.where('enabled', '=', query.enabled ? 1 : 0)
  if (query.anomalous !== undefined) select = select.where('anomalous_since', query.anomalous ? 'is not' : 'is', null)
  return fetchPage(select, query, { sorts: { name: 'name', createdAt: 'id' }, id: 'id' })
}

export async function countRules(db: Db, dataset: string): Promise<number> {
  const { rules } = await db
    .selectFrom('quality_rules')
    .select((eb) => eb.fn.countAll<number>().as('rules'))
    .where('dataset', '=', dataset)
    .executeTakeFirstOrThrow()
  return Number(rules)
}

/** The rules of a dataset, those that are enabled unless others are named. */
export function rulesOf(db: Db, dataset: string, ids?: readonly string[]): Promise<RuleRow[]> {
  let select = db.selectFrom('quality_rules').selectAll().where('dataset', '=', dataset)
  select = ids === undefined ? select.where('enabled', '=', 1) : select.where('id', 'in', ids.length === 0 ? [''] : ids)
  return select.orderBy('id').execute()
}

/** All rules of a dataset, of which there is a bounded number. */
export const allRulesOf = (db: Db, dataset: string): Promise<RuleRow[]> =>
  db.selectFrom('quality_rules').selectAll().where('dataset', '=', dataset).orderBy('id').execute()

/** Which of some names are those of rules. */
export async function takenNames(db: Db, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('quality_rules')
    .select('name')
    .where('name', 'in', [...names, ''])
    .execute()
  return new Set(rows.map(({ name }) => name))
}

/** Rules by their ids, of whichever datasets. */
export const findRules = (db: Db, ids: readonly string[]): Promise<RuleRow[]> =>
  db
    .selectFrom('quality_rules')
    .selectAll()
    .where('id', 'in', [...ids, ''])
    .orderBy('id')
    .execute()

/** Writes what a rule names of other areas and what it waits for, in the transaction that writes the rule. */
export async function saveTies(
  tx: Db,
  ruleId: string,
  resources: readonly Resource[],
  triggers: readonly RuleTriggerRow[]
): Promise<void> {
  await tx.deleteFrom('quality_rule_uses').where('rule_id', '=', ruleId).execute()
  await tx.deleteFrom('quality_rule_triggers').where('rule_id', '=', ruleId).execute()
  const uses = resources.map(({ type, id }): RuleUseRow => ({ rule_id: ruleId, resource_type: type, resource_id: id }))
  if (uses.length > 0) await tx.insertInto('quality_rule_uses').values(uses).execute()
  if (triggers.length > 0)
    await tx
      .insertInto('quality_rule_triggers')
      .values([...triggers])
      .execute()
}

/** The rules that read a resource. */
export async function usersOf(db: Db, { type, id }: Resource, limit: number): Promise<ResourceUser[]> {
  const rows = await db
    .selectFrom('quality_rule_uses')
    .innerJoin('quality_rules', 'quality_rules.id', 'quality_rule_uses.rule_id')
    .select(['quality_rules.id', 'quality_rules.name'])
    .where('resource_type', '=', type)
    .where('resource_id', '=', id)
    .orderBy('quality_rules.id')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ type: 'quality-rule', ...row }))
}
