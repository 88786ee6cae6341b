import type { KnownTables, SourceColumn, StatementLineage } from '../../../engines/sql-lineage/index.ts'
import {
  type FromColumn,
  inputTable,
  placeOfTable,
  type ReadSelect,
  type WayInput,
  type Ways
} from '../contract/ways.ts'

/** Reads a statement, which is not run. */
export type ReadStatement = (select: string, known: KnownTables) => Promise<StatementLineage>

/** Reads SELECTs over inputs with these columns. What is not understood may come from any of them. */
export const readingSelects =
  (read: ReadStatement) =>
  (inputs: readonly WayInput[]): ReadSelect =>
  async (select) => {
    const known = inputs.map(({ columns }, place) => [inputTable(place), columns.map(({ name }) => name)] as const)
    return waysIn(await read(select, Object.fromEntries(known)), inputs)
  }

function waysIn({ outputs, rows, notUnderstood }: StatementLineage, inputs: readonly WayInput[]): Ways {
  const any = (kind: 'computed' | 'filtered'): FromColumn[] =>
    notUnderstood.length === 0 ? [] : inputs.map((_, input) => ({ input, column: null, kind }))
  return {
    columns: outputs.map(({ name, from }) => ({ name, from: [...from.flatMap(fromInput), ...any('computed')] })),
    rows: [...rows.flatMap(fromInput), ...any('filtered')]
  }
}

function fromInput({ table, column, kind }: SourceColumn): FromColumn[] {
  const input = placeOfTable(table)
  return input === undefined ? [] : [{ input, column, kind }]
}
