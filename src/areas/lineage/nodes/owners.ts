import type { Db } from '../../../engines/metadata/index.ts'
import { sourceNames } from '../../catalog/index.ts'
import { type NodeKind, parseNode } from '../references.ts'
import { type DatedFacts, dated, type NodeFacts } from './facts.ts'

/** Nodes of one owner that are named or marked at once. */
const MAX_OWNED = 10_000

/** What people call data of a source: by the name of the source, and the tag where it is one. */
const nameWithin = (owner: string, path: string): string => (path === '' ? owner : `${owner}/${path}`)

/** The nodes of an owner, itself and all within it, with what is to be told of each. */
async function ownedNews(
  tx: Db,
  owner: string,
  timeMs: number,
  factsOf: (path: string) => NodeFacts
): Promise<Map<string, DatedFacts>> {
  const parsed = parseNode(owner)
  if ('problem' in parsed) return new Map()
  const rows = await inPlace(tx, parsed.kind, owner).limit(MAX_OWNED).execute()
  return new Map(
    rows.map(({ reference }) => [reference, dated(factsOf(reference.slice(owner.length + 1)), timeMs)] as const)
  )
}

/** What tells of all data of an owner that it has a name from now on. */
export const newName = (tx: Db, owner: string, name: string, timeMs: number): Promise<Map<string, DatedFacts>> =>
  ownedNews(tx, owner, timeMs, (path) => ({ name: nameWithin(name, path) }))

/** What tells of all data of an owner that it is gone. */
export const newlyGone = (tx: Db, owner: string, timeMs: number): Promise<Map<string, DatedFacts>> =>
  ownedNews(tx, owner, timeMs, () => ({ ownerGone: true }))

/** The nodes of a kind that are what a reference names, or are within it, in one order. */
export const inPlace = (db: Db, kind: NodeKind, place: string) =>
  db
    .selectFrom('lineage_nodes')
    .select(['key', 'reference', 'kind', 'is_pattern'])
    .where('kind', '=', kind)
    .where((where) =>
      where.or([
        where('reference', '=', place),
        where.and([where('reference', '>=', `${place}/`), where('reference', '<', `${place}0`)])
      ])
    )
    .orderBy('reference')

const SERIES = /^series:\/\/([^/]+)\/?(.*)$/su
const PIPELINE = /^(?:job:\/\/pipeline|pipeline:\/)\/([^/]+)\/?(.*)$/su

/**
 * What sources and pipelines are called that new nodes are data of, or are themselves. Whoever names one anew waits until
 * these nodes are there.
 */
export async function namesByOwner(tx: Db, references: readonly string[]): Promise<Map<string, DatedFacts>> {
  return new Map([
    ...(await namesFrom(references, SERIES, (ids) => sourceNames(tx, ids))),
    ...(await namesFrom(references, PIPELINE, (ids) => pipelineNames(tx, ids)))
  ])
}

async function namesFrom(
  references: readonly string[],
  form: RegExp,
  namesOf: (ids: readonly string[]) => Promise<Map<string, string>>
): Promise<(readonly [string, DatedFacts])[]> {
  const owned = references.flatMap((reference) => {
    const [, owner, path = ''] = form.exec(reference) ?? []
    return owner === undefined ? [] : [{ reference, owner, path }]
  })
  if (owned.length === 0) return []
  const names = await namesOf([...new Set(owned.map(({ owner }) => owner))])
  return owned.flatMap(({ reference, owner, path }) => {
    const name = names.get(owner)
    return name === undefined ? [] : [[reference, dated({ name: nameWithin(name, path) }, 0)] as const]
  })
}

/** Asked of the table: the area of pipelines stands on this one, and so can't be asked. */
async function pipelineNames(tx: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const query = tx.selectFrom('pipelines').select(['id', 'name']).where('id', 'in', ids)
  const rows = await query.orderBy('id').forUpdate().execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
