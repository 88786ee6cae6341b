import { NodeFault } from '../contract/context.ts'
import type { StateTable, TypeConflict } from '../contract/state-table.ts'
import type { Column } from '../duckdb/columns.ts'
import { WRONG_TYPE } from './column-types.ts'

/** Why records whose types nobody has told can't go into a table: they would make others of the values that are there. */
export async function typeConflict(
  table: StateTable,
  columns: readonly Column[],
  where: string
): Promise<NodeFault | undefined> {
  const conflict = await table.conflict(columns)
  if (conflict === undefined) return undefined
  return conflictFault(conflict, where)
}

export function conflictFault({ name, now, before }: TypeConflict, where: string): NodeFault {
  const message = `${name}: expected ${before}, as ${where}, got ${now}; cast it in a map, or give the source its type in \`columns\``
  return new NodeFault('shape', WRONG_TYPE, message)
}
