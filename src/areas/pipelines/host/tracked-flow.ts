import { type BatchPart, ROW } from '../contract/source.ts'
import type { Flow } from '../contract/steps.ts'
import type { SelectNode } from './selects.ts'

/**
 * Records as a SELECT over a table (or files) whose count is known, through nodes that map each record to one and at most one
 * that filters. So many nodes cost as much as one statement, and once the result is counted, all of them are.
 */
export interface TrackedFlow extends Flow {
  readonly base: Base
  /** The table that holds exactly these records, with `ROW`, where there is one. */
  readonly table: string | undefined
  readonly chain: readonly SelectNode[]
}

/** What a flow begins with. */
type Base = BatchPart & { readonly numbered: string }

/** Records that are there to be read as often as wanted. */
export function givenFlow(part: BatchPart): TrackedFlow {
  const { sql, rows, columns } = part
  const numbered = part.numbered ?? `SELECT *, row_number() OVER () - 1 AS ${ROW} FROM (${sql})`
  const { isLoose = false } = part
  const base = { ...part, numbered }
  return { sql, numbered, columns, rows, maxRows: rows, isLoose, base, table: undefined, chain: [] }
}
