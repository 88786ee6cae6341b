import type { StatementLineage } from '../../../engines/sql-lineage/index.ts'
import { jobReference } from '../references.ts'
import type { ColumnMapping, DataSeen, Provenance, RunSeen, Sighting } from '../sighting.ts'
import { isFit, type Names } from './names.ts'
import type { SqlRecord } from './schema.ts'

interface Told {
  readonly job: SqlRecord['job']
  readonly run: Pick<RunSeen, 'id' | 'timeMs'>
  readonly who: string
}

/** A column without a name, which databases make up in ways that are not known here. */
const UNNAMED = /^#\d+$/

/** What a statement tells of its job, undefined where nothing was understood; and what was left out of it, for people. */
export function sightingOf(
  lineage: StatementLineage,
  names: Names,
  { job, run, who }: Told
): { sighting: Sighting | undefined; leftOut: string[] } {
  const { reads, writes, outputs, rows, notUnderstood } = lineage
  const target = names.targetOf(writes)
  const leftOut: string[] = []
  if (reads.length === 0 && writes === null && outputs.length === 0) return { sighting: undefined, leftOut }
  const references = new Map(reads.map((table) => [table, names.referenceOf(table, writes)]))
  for (const [table, reference] of references) {
    if (reference === null) leftOut.push(`The table ${shown(table)}, whose name is too long to record.`)
  }
  if (writes !== null && target === null) leftOut.push(`The table ${shown(writes)}, whose name is too long to record.`)
  const columns: ColumnMapping[] = []
  const add = (to: string | null, from: StatementLineage['rows']) => {
    for (const { table, column, kind } of from) {
      const reference = references.get(table)
      if (reference == null || target === null) continue
      if (isFit(column)) columns.push({ from: { reference, column }, to: { reference: target, column: to }, kind })
      else leftOut.push(`The column ${shown(column)}, whose name is too long to record.`)
    }
  }
  for (const { name, from } of outputs) {
    if (isFit(name) && !UNNAMED.test(name)) add(name, from)
    else if (target !== null) leftOut.push(`The column ${shown(name)}, which has no name to record.`)
  }
  add(null, rows)
  const data = (all: Iterable<string | null>): DataSeen[] =>
    [...new Set(all)].flatMap((reference) => (reference === null ? [] : [{ reference }]))
  const provenance: Provenance = { how: 'parsed', who }
  // What is left out was never told by older runs either.
  const isWhole = notUnderstood.length === 0
  const sighting: Sighting = {
    job: { reference: jobReference(job.namespace, job.name) },
    run: { ...run, state: 'completed', isWhole },
    inputs: data(references.values()),
    outputs: data([target]),
    columns,
    provenance
  }
  return { sighting, leftOut }
}

const MAX_SHOWN_CHARS = 60
const shown = (name: string): string => (name.length > MAX_SHOWN_CHARS ? `${name.slice(0, MAX_SHOWN_CHARS)}…` : name)
