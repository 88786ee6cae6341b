import { sql } from 'kysely'
import { type Db, slices } from '../../../engines/metadata/index.ts'
import { prepareInserts, prepareLookups } from '../../../engines/prepare-rows.ts'
import type { NodeRow } from '../migrations.ts'
import { nodeKey, parseNode } from '../references.ts'
import { type DatedFacts, merged, undated } from './facts.ts'
import { drawOverlaps, lockPlaces, namesMany } from './overlaps.ts'
import { namesByOwner } from './owners.ts'

/** What was told of nodes, by their references. */
export type NodeNews = ReadonlyMap<string, DatedFacts>

/**
 * Makes the nodes that are missing, and adds what is new of the others. Answers the keys of those that were ever said to
 * be gone.
 */
export async function saveNodes(tx: Db, news: NodeNews): Promise<Set<string>> {
  const gone = new Set<string>()
  const entries = [...news].map(([reference, facts]) => ({ key: nodeKey(reference), reference, facts }))
  // In one order everywhere, so that no two transactions wait for each other.
  for (const some of slices(entries.sort((a, b) => (a.key < b.key ? -1 : 1)))) {
    for (const key of await insertMissing(tx, some)) gone.add(key)
    await addFacts(
      tx,
      some.filter(({ facts }) => Object.keys(facts).length > 0)
    )
  }
  return gone
}

interface Told {
  readonly key: string
  readonly reference: string
  readonly facts: DatedFacts
}

async function insertMissing(tx: Db, told: readonly Told[]): Promise<string[]> {
  const rows = await findKnown(tx, told)
  const known = new Set(rows.map(({ key }) => key))
  const unknown = told.filter(({ key }) => !known.has(key)).map(({ reference }) => reference)
  if (unknown.length > 0) {
    const names = await namesByOwner(tx, unknown)
    const missing = unknown.map((reference) => rowOf(reference, names.get(reference) ?? {}))
    await lockPlaces(tx, missing)
    await insertNodes(tx, missing)
    await drawOverlaps(tx, missing)
  }
  return rows.filter(({ gone }) => gone === 1).map(({ key }) => key)
}

const isGone = sql<number>`case when facts like '%"deleted":[%' then 1 else 0 end`

const findKnown = prepareLookups<Pick<NodeRow, 'key'>, { key: string; gone: number }>(
  'lineage_nodes',
  ['key'],
  (tx, isGiven) =>
    tx
      .selectFrom('lineage_nodes')
      .select(['key', isGone.as('gone')])
      .where(isGiven)
)

const insertNodes = prepareInserts(
  'lineage_nodes',
  ['key', 'reference', 'kind', 'name', 'is_pattern', 'facts'] satisfies (keyof NodeRow)[],
  { skipsKnown: true }
)

async function addFacts(tx: Db, told: readonly Told[]): Promise<void> {
  if (told.length === 0) return
  const keys = told.map(({ key }) => key)
  const rows = await tx
    .selectFrom('lineage_nodes')
    .select(['key', 'facts'])
    .where('key', 'in', keys)
    .orderBy('key')
    .forUpdate()
    .execute()
  const known = new Map(rows.map(({ key, facts }) => [key, facts]))
  const changed = told
    .map(({ key, reference, facts }) =>
      rowOf(reference, merged(JSON.parse(known.get(key) ?? '{}') as DatedFacts, facts))
    )
    .filter(({ key, facts }) => facts !== known.get(key))
  if (changed.length === 0) return
  await tx
    .insertInto('lineage_nodes')
    .values(changed)
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((row) => ({ facts: row.ref('excluded.facts'), name: row.ref('excluded.name') }))
    )
    .execute()
}

/** A node as it is written, with what is known of it. */
export function rowOf(reference: string, facts: DatedFacts): NodeRow {
  const parsed = parseNode(reference)
  if ('problem' in parsed) throw new Error(`The reference of a node ${parsed.problem}`)
  const name = undated(facts).name ?? parsed.name
  const is_pattern = namesMany(parsed.kind, reference) ? 1 : 0
  return {
    key: nodeKey(reference),
    reference,
    kind: parsed.kind,
    name,
    is_pattern,
    facts: JSON.stringify(merged(facts, {}))
  }
}
