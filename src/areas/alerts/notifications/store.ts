import { type Db, slices } from '../../../engines/metadata/index.ts'
import type { AlertRow } from '../migrations.ts'
import type { ChannelRow, GroupRow, MemberRow, RuleChannelRow, Told } from './migrations.ts'

/** That a channel is told of the alerts of a rule, at once or later. */
export type Route = RuleChannelRow & Pick<ChannelRow, 'settings'>

export async function routesOf(tx: Db, ruleIds: readonly string[]): Promise<Route[]> {
  const rows: Route[] = []
  for (const some of slices(ruleIds)) {
    rows.push(
      ...(await tx
        .selectFrom('alert_rule_channels')
        .innerJoin('alert_channels', 'alert_channels.id', 'alert_rule_channels.channel_id')
        .selectAll('alert_rule_channels')
        .select('alert_channels.settings')
        .where('rule_id', 'in', some)
        .orderBy('rule_id')
        .orderBy('step')
        .execute())
    )
  }
  return rows
}

export interface GroupKey {
  readonly channelId: string
  readonly key: string
}

const MAX_TRIES = 5

/** The groups with these keys, made where they are not there, and locked; by channel and key. */
export async function lockGroups(
  tx: Db,
  wanted: readonly GroupKey[],
  makeId: () => string
): Promise<Map<string, GroupRow>> {
  const found = new Map<string, GroupRow>()
  let missing = wanted.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    await makeGroups(tx, missing, makeId)
    for (const row of await lockByKey(tx, missing)) {
      found.set(placeOf({ channelId: row.channel_id, key: row.key }), row)
    }
    missing = missing.filter((one) => !found.has(placeOf(one)))
    if (missing.length === 0) return found
    // A group that had served its purpose was taken away between the two statements: the next round makes it anew.
  }
  throw new Error('Groups of alerts come and go too fast to add an alert; try again')
}

async function makeGroups(tx: Db, keys: readonly GroupKey[], makeId: () => string): Promise<void> {
  for (const some of slices(keys)) {
    await tx
      .insertInto('alert_groups')
      .values(
        some.map(({ channelId, key }) => ({
          id: makeId(),
          channel_id: channelId,
          key,
          next_ms: null,
          told_ms: null,
          delivery_id: null
        }))
      )
      .onConflict((conflict) => conflict.columns(['channel_id', 'key']).doNothing())
      .execute()
  }
}

async function lockByKey(tx: Db, keys: readonly GroupKey[]): Promise<GroupRow[]> {
  const rows: GroupRow[] = []
  for (const some of slices(keys)) {
    rows.push(
      ...(await tx
        .selectFrom('alert_groups')
        .selectAll()
        .where((where) => where.or(some.map(({ channelId, key }) => where.and({ channel_id: channelId, key }))))
        .orderBy('id')
        .forUpdate()
        .execute())
    )
  }
  return rows
}

export const placeOf = ({ channelId, key }: GroupKey): string => `${channelId} ${key}`

export async function addMembers(tx: Db, rows: readonly MemberRow[]): Promise<void> {
  for (const some of slices(rows)) {
    await tx
      .insertInto('alert_group_members')
      .values(some)
      .onConflict((conflict) => conflict.columns(['group_id', 'alert_id']).doNothing())
      .execute()
  }
}

/** The channels that have an alert in one of their groups, as `channel alert`. */
export async function knownTo(tx: Db, alertIds: readonly string[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>()
  for (const some of slices(alertIds)) {
    const rows = await tx
      .selectFrom('alert_group_members')
      .innerJoin('alert_groups', 'alert_groups.id', 'alert_group_members.group_id')
      .select(['channel_id', 'alert_id'])
      .where('alert_id', 'in', some)
      .execute()
    for (const { channel_id, alert_id } of rows) known.add(`${channel_id} ${alert_id}`)
  }
  return known
}

/** The groups that alerts are in, with the settings of their channels; locked. */
export async function lockGroupsOf(
  tx: Db,
  alertIds: readonly string[]
): Promise<(GroupRow & Pick<ChannelRow, 'settings'>)[]> {
  const ids = new Set<string>()
  for (const some of slices(alertIds)) {
    const rows = await tx
      .selectFrom('alert_group_members')
      .select('group_id')
      .distinct()
      .where('alert_id', 'in', some)
      .execute()
    for (const { group_id } of rows) ids.add(group_id)
  }
  const groups: (GroupRow & Pick<ChannelRow, 'settings'>)[] = []
  for (const some of slices([...ids].sort())) {
    groups.push(
      ...(await tx
        .selectFrom('alert_groups')
        .innerJoin('alert_channels', 'alert_channels.id', 'alert_groups.channel_id')
        .selectAll('alert_groups')
        .select('alert_channels.settings')
        .where('alert_groups.id', 'in', some)
        .orderBy('alert_groups.id')
        .forUpdate('alert_groups')
        .execute())
    )
  }
  return groups
}

/** Moves the next look at groups forward. */
export async function lookEarlier(tx: Db, ids: readonly string[], ms: number): Promise<void> {
  for (const some of slices(ids)) {
    await tx
      .updateTable('alert_groups')
      .set({ next_ms: ms })
      .where('id', 'in', some)
      .where((where) => where.or([where('next_ms', 'is', null), where('next_ms', '>', ms)]))
      .execute()
  }
}

const due = (db: Db, nowMs: number) =>
  db.selectFrom('alert_groups').where('next_ms', '<=', nowMs).where('delivery_id', 'is', null)

export const dueGroups = (db: Db, nowMs: number, limit: number): Promise<{ id: string }[]> =>
  due(db, nowMs).select('id').orderBy('next_ms').limit(limit).execute()

export type LockedGroup = GroupRow & Pick<ChannelRow, 'name' | 'type' | 'settings' | 'enabled'>

/** Those that are still due, in the order of their ids. */
export const lockDue = (tx: Db, ids: readonly string[], nowMs: number): Promise<LockedGroup[]> =>
  due(tx, nowMs)
    .innerJoin('alert_channels', 'alert_channels.id', 'alert_groups.channel_id')
    .selectAll('alert_groups')
    .select(['alert_channels.name', 'alert_channels.type', 'alert_channels.settings', 'alert_channels.enabled'])
    .where('alert_groups.id', 'in', ids)
    .orderBy('alert_groups.id')
    .forUpdate('alert_groups')
    .execute()

export type MemberAlert = Omit<MemberRow, 'group_id'> & { readonly alert: AlertRow }

/** The alerts of a group, the oldest first. */
export async function membersOf(tx: Db, groupId: string): Promise<MemberAlert[]> {
  const rows = await tx
    .selectFrom('alert_group_members')
    .innerJoin('alerts', 'alerts.id', 'alert_group_members.alert_id')
    .selectAll('alerts')
    .select(['alert_group_members.alert_id', 'alert_group_members.told', 'alert_group_members.step'])
    .where('group_id', '=', groupId)
    .orderBy('alert_id')
    .execute()
  return rows.map(({ alert_id, told, step, ...alert }) => ({ alert_id, told, step, alert }))
}

export const updateGroup = (tx: Db, id: string, changed: Partial<GroupRow>) =>
  tx.updateTable('alert_groups').set(changed).where('id', '=', id).execute()

export const deleteGroup = (tx: Db, id: string) => tx.deleteFrom('alert_groups').where('id', '=', id).execute()

export async function dropMembers(tx: Db, groupId: string, alertIds: readonly string[]): Promise<void> {
  for (const some of slices(alertIds)) {
    await tx.deleteFrom('alert_group_members').where('group_id', '=', groupId).where('alert_id', 'in', some).execute()
  }
}

/** Notes what the channel knows of alerts now. */
export async function noteTold(tx: Db, groupId: string, alertIds: readonly string[], told: Told): Promise<void> {
  for (const some of slices(alertIds)) {
    await tx
      .updateTable('alert_group_members')
      .set({ told })
      .where('group_id', '=', groupId)
      .where('alert_id', 'in', some)
      .execute()
  }
}

/** Notes that the channel may know of alerts, where it did not. */
export async function noteTried(tx: Db, groupId: string, alertIds: readonly string[]): Promise<void> {
  for (const some of slices(alertIds)) {
    await tx
      .updateTable('alert_group_members')
      .set({ told: 'tried' })
      .where('group_id', '=', groupId)
      .where('alert_id', 'in', some)
      .where('told', 'is', null)
      .execute()
  }
}
