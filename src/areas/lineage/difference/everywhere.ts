import type { Metadata } from '../../../engines/metadata/index.ts'
import type { EdgeRow, MappingRow } from '../migrations.ts'
import {
  type Change,
  candidates,
  changesAmong,
  EDGES,
  type FactKind,
  MAPPINGS,
  placeOf,
  type RowPlace,
  type Span
} from './facts.ts'

const ROWS_AT_ONCE = 500

/** The parts of a difference, in the order in which they are told. */
export const PARTS = ['added edges', 'ended edges', 'added columns', 'ended columns'] as const

export type Found =
  | { readonly part: 'added edges' | 'ended edges'; readonly claims: readonly EdgeRow[] }
  | { readonly part: 'added columns' | 'ended columns'; readonly claims: readonly MappingRow[] }

/** Where a difference goes on: within a part, after a row of it. */
export interface Place {
  readonly part: number
  readonly after?: RowPlace
}

/** A difference with the place after it; without one where rows were looked at in vain. */
export interface Told {
  readonly found?: Found
  readonly place: Place
}

/** All that began or ended in a span, in an order that can be gone on with. */
export async function* everywhere(metadata: Metadata, span: Span, from: Place): AsyncGenerator<Told> {
  for (const [number, part] of PARTS.entries()) {
    if (number < from.part) continue
    const after = number === from.part ? from.after : undefined
    const change = part.startsWith('added') ? 'added' : 'ended'
    if (part.endsWith('edges')) yield* changesOf(metadata, EDGES, change, span, number, after)
    else yield* changesOf(metadata, MAPPINGS, change, span, number, after)
  }
}

async function* changesOf<R extends EdgeRow | MappingRow>(
  metadata: Metadata,
  kind: FactKind<R>,
  change: Change,
  span: Span,
  part: number,
  from: RowPlace | undefined
): AsyncGenerator<Told> {
  let after = from
  for (;;) {
    const rows = await candidates(metadata, kind, change, span, after, ROWS_AT_ONCE)
    for (const { row, claims } of await changesAmong(metadata, kind, change, rows, span)) {
      const found = { part: PARTS[part], claims } as unknown as Found
      yield { found, place: { part, after: placeOf(kind, change, row) } }
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < ROWS_AT_ONCE) return
    after = placeOf(kind, change, last)
    yield { place: { part, after } }
  }
}
