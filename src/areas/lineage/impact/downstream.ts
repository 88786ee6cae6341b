import type { Clock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { readNodes } from '../graph/details.ts'
import { nodeKey } from '../references.ts'
import { reachOf } from './reach.ts'

const MAX_NODES = 10_000
const MAX_DEPTH = 1000
const BUDGET_MS = 1000
const MAX_NAMED = 3
const MAX_CHARS = 60

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
}

/** How much depends on data, and what is nearest, in a few words for messages; empty where nothing does. */
export async function downstreamOf({ metadata, clock }: Needs, reference: string): Promise<string> {
  const endMs = clock.elapsed() + BUDGET_MS
  const budget = { maxNodes: MAX_NODES, maxDepth: MAX_DEPTH, hasTime: () => clock.elapsed() < endMs }
  const asked = { root: nodeKey(reference), depth: Number.POSITIVE_INFINITY, atMs: clock.now() }
  const { nodes, cutBy } = await reachOf(metadata, asked, budget)
  const data = nodes.filter(({ isJob }) => !isJob)
  if (data.length === 0) return ''
  const nearest = data.slice(0, MAX_NAMED).map(({ key }) => key)
  const rows = await readNodes(metadata, nearest)
  const names = nearest.map((key) => shortened(rows.get(key)?.reference ?? key))
  return `${data.length}${cutBy === null ? '' : ' or more'}: ${names.join(', ')}${data.length > MAX_NAMED ? ', …' : ''}`
}

const shortened = (text: string): string => (text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text)
