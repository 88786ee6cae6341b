import type { StatementLineage } from '../../../engines/sql-lineage/index.ts'
import type { DataSeen, Provenance, RunSeen, Sighting } from '../sighting.ts'
import { mappingsOf, shown } from './mappings.ts'
import type { TableNames } from './names.ts'

interface Told {
  /** Reference of the job. */
  readonly job: string
  readonly run: RunSeen
  readonly who: string
}

/** What a statement tells of its job, undefined where nothing was understood; and what was left out of it, for people. */
export function sightingOf(
  lineage: StatementLineage,
  names: TableNames,
  { job, run, who }: Told
): { sighting: Sighting | undefined; leftOut: string[] } {
  const { reads, writes, outputs, notUnderstood } = lineage
  const target = names.targetOf(writes)
  const leftOut: string[] = []
  if (reads.length === 0 && writes === null && outputs.length === 0) return { sighting: undefined, leftOut }
  const references = new Map(reads.map((table) => [table, names.referenceOf(table, writes)]))
  for (const [table, reference] of references) {
    if (reference === null) leftOut.push(`The table ${shown(table)}, ${names.unnamed}.`)
  }
  if (writes !== null && target === null) leftOut.push(`The table ${shown(writes)}, ${names.unnamed}.`)
  const mapped =
    target === null ? undefined : mappingsOf(lineage, (table) => references.get(table) ?? undefined, target)
  for (const what of mapped?.leftOut ?? []) leftOut.push(what)
  const data = (all: Iterable<string | null>): DataSeen[] =>
    [...new Set(all)].flatMap((reference) => (reference === null ? [] : [{ reference }]))
  const provenance: Provenance = { how: 'parsed', who }
  // What is left out was never told by older runs either.
  const isWhole = run.isWhole && notUnderstood.length === 0
  const sighting: Sighting = {
    job: { reference: job },
    run: { ...run, isWhole },
    inputs: data(references.values()),
    outputs: data([target]),
    columns: mapped?.columns ?? [],
    provenance
  }
  return { sighting, leftOut }
}
