import type { StatementLineage } from '../../../engines/sql-lineage/index.ts'
import { isFit } from '../openlineage/limits.ts'
import type { ColumnMapping } from '../sighting.ts'

/** A column without a name, which databases make up in ways that are not known here. */
const UNNAMED = /^#\d+$/

/**
 * What a statement makes of columns, by the references of the tables that it reads and of the data that its result goes to;
 * and what was left out of it, for people.
 */
export function mappingsOf(
  { outputs, rows }: Pick<StatementLineage, 'outputs' | 'rows'>,
  referenceOf: (table: string) => string | undefined,
  target: string
): { columns: ColumnMapping[]; leftOut: string[] } {
  const columns: ColumnMapping[] = []
  const leftOut: string[] = []
  const add = (to: string | null, from: StatementLineage['rows']) => {
    for (const { table, column, kind } of from) {
      const reference = referenceOf(table)
      if (reference === undefined) continue
      if (isFit(column)) columns.push({ from: { reference, column }, to: { reference: target, column: to }, kind })
      else leftOut.push(`The column ${shown(column)}, whose name is too long to record.`)
    }
  }
  for (const { name, from } of outputs) {
    if (isFit(name) && !UNNAMED.test(name)) add(name, from)
    else leftOut.push(`The column ${shown(name)}, which has no name to record.`)
  }
  add(null, rows)
  return { columns, leftOut }
}

const MAX_SHOWN_CHARS = 60

/** A name as it stands in a sentence. */
export const shown = (name: string): string =>
  name.length > MAX_SHOWN_CHARS ? `${name.slice(0, MAX_SHOWN_CHARS)}…` : name
