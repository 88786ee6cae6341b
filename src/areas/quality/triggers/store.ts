import type { Db } from '../../../engines/metadata/index.ts'
import type { Trigger } from '../words.ts'

/** The datasets of rules that wait for something to happen to the owner. */
export async function waitingDatasets(db: Db, trigger: Trigger, owner: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('quality_rule_triggers')
    .select('dataset')
    .distinct()
    .where('trigger', '=', trigger)
    .where('owner', '=', owner)
    .orderBy('dataset')
    .limit(limit)
    .execute()
  return rows.map(({ dataset }) => dataset)
}

/** Notes that the rules about datasets are to be evaluated, after what happened at a time. */
export async function want(
  tx: Db,
  trigger: Trigger,
  owner: string,
  datasets: readonly string[],
  nowMs: number
): Promise<void> {
  await tx
    .updateTable('quality_rule_triggers')
    .set({ wanted_ms: nowMs })
    .where('trigger', '=', trigger)
    .where('owner', '=', owner)
    .where('dataset', 'in', datasets)
    .execute()
}

export interface Wanted {
  readonly dataset: string
  readonly trigger: Trigger
  /** When the last thing happened that the rules are to be evaluated after. */
  readonly lastMs: number
}

/** What is wanted, that which has been so longest first. */
export async function wantedNow(db: Db, limit: number): Promise<Wanted[]> {
  const rows = await db
    .selectFrom('quality_rule_triggers')
    .select((eb) => ['dataset', 'trigger', eb.fn.max<number>('wanted_ms').as('lastMs')])
    .where('wanted_ms', 'is not', null)
    .groupBy(['dataset', 'trigger'])
    .orderBy('lastMs')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, lastMs: Number(row.lastMs) }))
}

export async function wantedRules(db: Db, { dataset, trigger }: Wanted): Promise<string[]> {
  const rows = await db
    .selectFrom('quality_rule_triggers')
    .select('rule_id')
    .where('dataset', '=', dataset)
    .where('trigger', '=', trigger)
    .where('wanted_ms', 'is not', null)
    .execute()
  return rows.map(({ rule_id }) => rule_id)
}

/** Notes that rules were evaluated; what has happened meanwhile is wanted still. */
export async function settle(tx: Db, { dataset, trigger, lastMs }: Wanted): Promise<void> {
  await tx
    .updateTable('quality_rule_triggers')
    .set({ wanted_ms: null })
    .where('dataset', '=', dataset)
    .where('trigger', '=', trigger)
    .where('wanted_ms', '<=', lastMs)
    .execute()
}
