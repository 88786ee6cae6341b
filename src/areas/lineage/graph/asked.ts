import { invalidField, Problem } from '../../../errors.ts'
import { parseTime, TIME_FORM } from '../../../http/times.ts'
import { nodeKey, parseNode } from '../references.ts'

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
