import { invalidField, Problem } from '../../../errors.ts'
import { parseTime, TIME_FORM } from '../../../http/times.ts'
import { overlapsOf } from '../nodes/overlaps.ts'
import { rowOf } from '../nodes/store.ts'
import { nodeKey, parseNode } from '../references.ts'
import { knownBy } from './ahead.ts'
import { readNodes } from './details.ts'
import type { GraphReader } from './reader.ts'

/** The key of a node that somebody asks about. */
export function keyOf(reference: string, pointer: string): string {
  const parsed = parseNode(reference)
  if ('problem' in parsed) throw invalidField(pointer, parsed.problem)
  return nodeKey(reference)
}

/** The time that is asked about; now, where it is not said. */
export function timeOf(asOf: string | undefined, nowMs: number, pointer = '/query/asOf'): number {
  if (asOf === undefined) return nowMs
  const ns = parseTime(asOf, nowMs)
  if (ns === undefined) throw invalidField(pointer, `must be ${TIME_FORM}`)
  return Number(ns / 1_000_000n)
}

/** The refusal of a question about a node that nobody told of. */
export const unknownNode = (): Problem =>
  new Problem('not_found', {
    detail:
      'Nothing is known of this. GET /api/lineage/nodes finds what there is; references are percent-encoded in addresses.'
  })

/**
 * The graph with the nodes that somebody asks about. One that nobody has named but patterns name is in it for this question;
 * one that nothing names is refused. What is `begun` is being read meanwhile.
 */
export async function graphWith(
  { dialect, db }: GraphReader,
  references: readonly string[],
  begun: GraphReader['begun'] = new Map()
): Promise<GraphReader> {
  const known = await knownBy(begun)
  const unsure = [...new Set(references)].filter((one) => !known.has(nodeKey(one)))
  const stored = await readNodes({ dialect, db }, unsure.map(nodeKey))
  const missing = unsure.filter((one) => !stored.has(nodeKey(one)))
  const rows = missing.map((one) => rowOf(one, {}))
  const unstored = await Promise.all(rows.map(async (row) => ({ row, edges: await overlapsOf(db, row) })))
  if (unstored.some(({ edges }) => edges.length === 0)) throw unknownNode()
  return { dialect, db, unstored, begun }
}
