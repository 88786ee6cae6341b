import { isPattern, parsePattern } from '../../../data/glob.ts'
import { parseReference } from '../../../data/reference.ts'
import type { Db } from '../../../engines/metadata/index.ts'
import { slices } from '../claims/store.ts'
import type { EdgeRow, NodeRow } from '../migrations.ts'

/** Nodes that a new one is compared with. */
const MAX_COMPARED = 10_000

type Named = Pick<NodeRow, 'key' | 'reference' | 'kind' | 'is_pattern'>

/** Whether data of a node may be many: of objects by a pattern, of series by their source. */
export function namesMany(kind: NodeRow['kind'], reference: string): boolean {
  const parsed = parseReference(reference)
  if ('problem' in parsed) return false
  return (kind === 'object' && isPattern(parsed.path)) || (kind === 'series' && parsed.path === '')
}

/**
 * Draws edges between new nodes and those that have data in common with them: a job that reads `object://lake/out/*` reads
 * what another writes to `object://lake/out/a.csv`. They hold at all times, because they follow from the names.
 */
export async function drawOverlaps(tx: Db, added: readonly Named[]): Promise<void> {
  const edges: EdgeRow[] = []
  for (const node of added) {
    if (node.kind !== 'object' && node.kind !== 'series') continue
    for (const other of await candidatesFor(tx, node)) {
      if (other.key !== node.key && overlap(node.reference, other.reference)) {
        edges.push(edgeOf(node.key, other.key), edgeOf(other.key, node.key))
      }
    }
  }
  for (const some of slices(edges)) {
    await tx
      .insertInto('lineage_edges')
      .values(some)
      .onConflict((conflict) => conflict.columns(['from_node', 'to_node', 'how', 'started_ms']).doNothing())
      .execute()
  }
}

/** What is in the same bucket or source. One that names one thing overlaps only with those that name many. */
async function candidatesFor(tx: Db, { reference, kind, is_pattern }: Named): Promise<Named[]> {
  const parsed = parseReference(reference)
  if ('problem' in parsed) return []
  const place = `${kind}://${parsed.owner}`
  let query = tx
    .selectFrom('lineage_nodes')
    .select(['key', 'reference', 'kind', 'is_pattern'])
    .where('kind', '=', kind)
    .where((where) =>
      where.or([
        where('reference', '=', place),
        where.and([where('reference', '>=', `${place}/`), where('reference', '<', `${place}0`)])
      ])
    )
  if (is_pattern === 0) query = query.where('is_pattern', '=', 1)
  return query.orderBy('reference').limit(MAX_COMPARED).execute()
}

/** Whether two references of one bucket or source may name the same data; where both are patterns, by how they begin and end. */
export function overlap(a: string, b: string): boolean {
  const [one, two] = [parseReference(a), parseReference(b)]
  if ('problem' in one || 'problem' in two || one.scheme !== two.scheme || one.owner !== two.owner) return false
  if (one.scheme === 'series') return one.path === '' || two.path === ''
  const [first, second] = [isPattern(one.path), isPattern(two.path)]
  if (first && second) return beginAlike(one.path, two.path) && endAlike(one.path, two.path)
  if (first) return parsePattern(one.path).matches(two.path)
  if (second) return parsePattern(two.path).matches(one.path)
  return one.path === two.path
}

function beginAlike(a: string, b: string): boolean {
  const [first, second] = [parsePattern(a).prefix, parsePattern(b).prefix]
  return first.startsWith(second) || second.startsWith(first)
}

function endAlike(a: string, b: string): boolean {
  const [first, second] = [lastPart(a), lastPart(b)]
  return first.endsWith(second) || second.endsWith(first)
}

/** What comes after the last sign that stands for others. */
const lastPart = (pattern: string): string => pattern.slice(pattern.search(/[^*?\]]*$/))

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
