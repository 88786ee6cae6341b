import { toCsv } from '../../../http/rows-export.ts'
import { type Part, sayersOf } from './parts.ts'

const COLUMNS = [
  'from',
  'from_kind',
  'from_name',
  'to',
  'to_kind',
  'to_name',
  'type',
  'started_at',
  'last_seen_at',
  'ended_at',
  'said'
] as const

/** A line for each edge. */
export const graphCsv = (parts: AsyncIterable<Part>): AsyncGenerator<string> => toCsv(COLUMNS, rowsOf(parts))

async function* rowsOf(parts: AsyncIterable<Part>) {
  for await (const { edges } of parts) {
    yield edges.map(({ from, to, edge }) => ({
      from: from.reference,
      from_kind: from.kind,
      from_name: from.name,
      to: to.reference,
      to_kind: to.kind,
      to_name: to.name,
      type: edge.type,
      started_at: edge.startedAt,
      last_seen_at: edge.lastSeenAt,
      ended_at: edge.endedAt,
      said: sayersOf(edge)
    }))
  }
}
