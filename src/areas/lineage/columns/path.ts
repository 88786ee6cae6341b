import { toIso } from '../../../engines/clock.ts'
import { toNode } from '../graph/details.ts'
import type { GraphReader } from '../graph/reader.ts'
import type { Path } from '../schema.ts'
import { type ColumnStep, DIRECT, type FoundColumn, walkColumns } from './column-walk.ts'
import type { Place } from './mapping-reader.ts'
import { toColumnEdges } from './view.ts'

interface ColumnEnds {
  /** An empty column is any. */
  readonly from: Place
  readonly to: Place
  readonly atMs: number
}

/** A shortest way that values take from one column to another. */
export async function columnPath(
  reader: GraphReader,
  { from, to, atMs }: ColumnEnds,
  hasBudget: (columns: number) => boolean
): Promise<Pick<Path, 'asOf' | 'found' | 'nodes' | 'edges' | 'columns' | 'truncated'>> {
  const isEnd = ({ node, column }: Place) =>
    node === to.node && (to.column === '' || column === '' || column === to.column)
  const walk = { root: from, direction: 'downstream', atMs, kinds: DIRECT, hasBudget, isEnd } as const
  const { end, isGivenUp } = isEnd(from)
    ? { end: { ...from, distance: 0, steps: [] }, isGivenUp: false }
    : await walkColumns(reader, walk)
  const steps = end === undefined ? [] : stepsTo(end)
  const keys = [from.node, ...steps.flatMap((step) => [...(step.job === '' ? [] : [step.job]), step.to.node])]
  const { edges, nodes } = await toColumnEdges(reader, steps, keys)
  const rows = end === undefined ? [] : keys.flatMap((key) => nodes.get(key) ?? [])
  return {
    asOf: toIso(atMs),
    found: end !== undefined,
    nodes: rows.map((row) => toNode(row, atMs)),
    edges: [],
    columns: edges,
    truncated: isGivenUp
  }
}

function stepsTo(end: FoundColumn): ColumnStep[] {
  const steps: ColumnStep[] = []
  for (let { by } = end; by !== undefined; by = by.before.by) steps.unshift(by.step)
  return steps
}
