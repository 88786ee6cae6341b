import { createHash } from 'node:crypto'
import { type Db, slices } from '../../../engines/metadata/index.ts'
import { prepareLookups } from '../../../engines/prepare-rows.ts'
import { type Inflow, nodeKey, nodesBy } from '../../lineage/index.ts'
import type { InheritedRow } from '../migrations.ts'
import { dataOf, givenTo, labelledAmong } from './labelled.ts'
import { readRanks } from './ranks.ts'
import type { Held, Inherited, Sources, Step } from './rule.ts'

/** What the rule needs to know of all that comes in by these inflows. */
export async function readSources(db: Db, inflows: readonly Inflow[]): Promise<Sources> {
  const keys = [...new Set(inflows.flatMap(({ from, job }) => (job === '' ? [from] : [from, job])))]
  const nodes = await nodesBy(db, keys)
  const data = [...nodes.values()].filter(({ isJob }) => !isJob)
  const held = await readHeld(db, data)
  const jobs = new Map([...nodes.values()].filter(({ isJob }) => isJob).map(({ key, reference }) => [key, reference]))
  return { ranks: await readRanks(db), held, jobs }
}

/** The levels of nodes, for those that have any. */
export async function readHeld(
  db: Db,
  nodes: readonly { readonly key: string; readonly reference: string }[]
): Promise<Map<string, Held>> {
  const given = Map.groupBy(
    await givenTo(
      db,
      nodes.map(({ reference }) => reference)
    ),
    ({ resource }) => resource
  )
  const inherited = await readInheritedBy(
    db,
    nodes.map(({ key }) => key)
  )
  const held = nodes.map(({ key, reference }): [string, Held] => [
    key,
    { reference, given: given.get(reference) ?? [], inherited: inherited.get(key) ?? [] }
  ])
  return new Map(held.filter(([, one]) => one.given.length + one.inherited.length > 0))
}

/** As many as are asked for one by one before it is worth while to look at all that have a level. */
const MANY = 500
/** Nodes, or labels, that are read to find which of many nodes have a level. */
const ALL_AT_ONCE = 10_000

/** Those among some nodes that were given a level, or inherit one. */
export async function withLevels(db: Db, keys: readonly string[]): Promise<Set<string>> {
  const all = keys.length > MANY ? await allWithLevels(db) : undefined
  if (all !== undefined) return new Set(keys.filter((key) => all.has(key)))
  const inheriting = await findInheriting(
    db,
    keys.map((node) => ({ node }))
  )
  const found = new Set(inheriting.map(({ node }) => node))
  const others = await nodesBy(
    db,
    keys.filter((key) => !found.has(key))
  )
  const labelled = await labelledAmong(
    db,
    [...others.values()].map(({ reference }) => reference)
  )
  for (const { key, reference } of others.values()) if (labelled.has(reference)) found.add(key)
  return found
}

/** All nodes that were given a level, or inherit one; undefined where they are very many. */
async function allWithLevels(db: Db): Promise<Set<string> | undefined> {
  const most = ALL_AT_ONCE + 1
  const nodes = await db.selectFrom('classification_inherited').select('node').distinct().limit(most).execute()
  if (nodes.length === most) return undefined
  const labels = await db.selectFrom('classification_resources').select('resource').distinct().limit(most).execute()
  if (labels.length === most) return undefined
  const given = labels.flatMap(({ resource }) => dataOf(resource) ?? []).map(nodeKey)
  return new Set([...nodes.map(({ node }) => node), ...given])
}

const findInheriting = prepareLookups<Pick<InheritedRow, 'node'>, Pick<InheritedRow, 'node'>>(
  'classification_inherited',
  ['node'],
  (db, isGiven) => db.selectFrom('classification_inherited').select('node').distinct().where(isGiven)
)

/** What nodes inherit, by their keys. */
export async function readInheritedBy(db: Db, keys: readonly string[]): Promise<Map<string, Inherited[]>> {
  const found = new Map<string, Inherited[]>()
  for (const some of slices(keys)) {
    const rows = await db.selectFrom('classification_inherited').selectAll().where('node', 'in', some).execute()
    for (const row of rows) found.getOrInsertComputed(row.node, () => []).push(fromRow(row))
  }
  return found
}

const fromRow = (row: InheritedRow): Inherited => ({
  column: row.column_name,
  isPart: row.is_part === 1,
  isShown: row.is_shown === 1,
  level: row.level,
  label: row.label,
  path: JSON.parse(row.path) as Step[]
})

export function toRow(node: string, one: Inherited): InheritedRow {
  const [from, here] = [one.path[0] as Step, one.path.at(-1) as Step]
  const is_part = one.isPart ? 1 : 0
  return {
    key: createHash('sha256')
      .update(JSON.stringify([node, one.column, is_part]))
      .digest('base64url')
      .slice(0, 22),
    node,
    column_name: one.column,
    is_part,
    resource: here.resource,
    is_shown: one.isShown ? 1 : 0,
    level: one.level,
    label: one.label,
    from_resource: from.resource,
    from_column: from.column,
    distance: one.path.length - 1,
    path: JSON.stringify(one.path)
  }
}
