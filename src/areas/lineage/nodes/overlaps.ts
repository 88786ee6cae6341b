import { setImmediate as turn } from 'node:timers/promises'
import { isPattern, mayMeet, parsePattern } from '../../../data/glob.ts'
import { parseReference } from '../../../data/reference.ts'
import { type Db, lockNames, slices } from '../../../engines/metadata/index.ts'
import { markInto } from '../../classification/index.ts'
import type { EdgeRow, NodeRow } from '../migrations.ts'
import { inPlace } from './owners.ts'

/** Nodes that a new one is compared with. */
const MAX_COMPARED = 10_000
/** So many that others do not wait for long, whatever the names are. */
const COMPARED_AT_ONCE = 20
/** A pattern with more stars takes long to be held against a long name. */
const MAX_STARS = 8
/** Stands for all streams of a connector; names of streams are no patterns. */
const ALL_STREAMS = '**'

type Named = Pick<NodeRow, 'key' | 'reference' | 'kind' | 'is_pattern'>

/** Whether data of a node may be many: of objects by a pattern, of series by their source, of connectors where all streams are meant. */
export function namesMany(kind: NodeRow['kind'], reference: string): boolean {
  const parsed = parseReference(reference)
  if ('problem' in parsed) return false
  if (kind === 'connector') return parsed.path === ALL_STREAMS
  return (kind === 'object' && isPattern(parsed.path)) || (kind === 'series' && parsed.path === '')
}

/**
 * Two names that are new at the same time would not see each other. A new pattern waits for whoever makes nodes in the same
 * bucket or source, and they for it; those who make none but single ones do not wait for each other.
 */
export async function lockPlaces(tx: Db, added: readonly Named[]): Promise<void> {
  const places = (some: readonly Named[]) => new Set(some.flatMap((node) => placeOf(node) ?? []))
  const alone = places(added.filter(({ is_pattern }) => is_pattern === 1))
  await lockNames(tx, [...alone], 'alone')
  await lockNames(tx, [...places(added).difference(alone)], 'shared')
}

/** The bucket, the source or the connector that a node is of; undefined where it is of none. */
function placeOf({ reference, kind }: Named): string | undefined {
  if (kind !== 'object' && kind !== 'series' && kind !== 'connector') return undefined
  const parsed = parseReference(reference)
  return 'problem' in parsed ? undefined : `${kind}://${parsed.owner}`
}

/**
 * Draws edges between new nodes and those that have data in common with them: a job that reads `object://lake/out/*` reads
 * what another writes to `object://lake/out/a.csv`. They hold at all times, because they follow from the names.
 */
export async function drawOverlaps(tx: Db, added: readonly Named[]): Promise<void> {
  const edges: EdgeRow[] = []
  for (const node of added) edges.push(...(await overlapsOf(tx, node)))
  for (const some of slices(edges)) {
    await tx
      .insertInto('lineage_edges')
      .values(some)
      .onConflict((conflict) => conflict.columns(['from_node', 'to_node', 'how', 'started_ms']).doNothing())
      .execute()
  }
  await markInto(
    tx,
    edges.map(({ to_node }) => to_node)
  )
}

/** The edges, both ways, between a node and those that have data in common with it. */
export async function overlapsOf(db: Db, node: Named): Promise<EdgeRow[]> {
  const others: Named[] = []
  for (const some of slices(await candidatesFor(db, node), COMPARED_AT_ONCE)) {
    others.push(...some.filter(({ key, reference }) => key !== node.key && overlap(node.reference, reference)))
    if (some.length === COMPARED_AT_ONCE) await turn()
  }
  return others.flatMap(({ key }) => [edgeOf(node.key, key), edgeOf(key, node.key)])
}

/** What is in the same bucket or source. One that names one thing overlaps only with those that name many. */
async function candidatesFor(tx: Db, node: Named): Promise<Named[]> {
  const place = placeOf(node)
  if (place === undefined) return []
  const query = inPlace(tx, node.kind, place)
  return (node.is_pattern === 0 ? query.where('is_pattern', '=', 1) : query).limit(MAX_COMPARED).execute()
}

/**
 * Whether two references of one bucket or source may name the same data: by how they begin and end where both are patterns, or
 * one has very many stars.
 */
export function overlap(a: string, b: string): boolean {
  const [one, two] = [parseReference(a), parseReference(b)]
  if ('problem' in one || 'problem' in two || one.scheme !== two.scheme || one.owner !== two.owner) return false
  if (one.scheme === 'connector') return [one.path, two.path].includes(ALL_STREAMS) || one.path === two.path
  if (one.scheme === 'series') return one.path === '' || two.path === ''
  const [first, second] = [isPattern(one.path), isPattern(two.path)]
  if ((first && second) || hasManyStars(one.path) || hasManyStars(two.path)) return mayMeet(one.path, two.path)
  if (first) return parsePattern(one.path).matches(two.path)
  if (second) return parsePattern(two.path).matches(one.path)
  return one.path === two.path
}

const hasManyStars = (path: string): boolean => path.split('*').length > MAX_STARS + 1

const edgeOf = (from: string, to: string): EdgeRow => ({
  from_node: from,
  to_node: to,
  how: 'captured',
  started_ms: 0,
  ended_ms: null,
  job: '',
  type: 'overlaps',
  seen_ms: null,
  runs: 0,
  who: 'their names'
})
