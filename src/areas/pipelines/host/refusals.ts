import { type DuckdbErrorKind, duckdbErrorKind } from '../../../engines/duckdb-errors.ts'
import { NodeFault } from '../contract/context.ts'
import type { Column } from '../duckdb/columns.ts'
import { WRONG_TYPE } from '../records/column-types.ts'

const MAX_NAMED = 5

/** Why a node takes none of the records with these columns. */
export function refusalOf(
  fault: NodeFault,
  columns: readonly Column[],
  spoken: readonly string[]
): { code: string; reason: string } {
  if (fault.kind === 'shape') return { code: fault.code, reason: fault.message }
  const named = new Set(spoken.map((name) => name.toLowerCase()))
  const concerned = columns.filter(({ name, type }) => named.has(name.toLowerCase()) && type !== '"NULL"')
  const types = concerned.slice(0, MAX_NAMED).map(({ name, type }) => `${name} is ${type}`)
  const message = fault.message.replace(/^(?:Binder|Conversion|Invalid Input) Error: /, '')
  return { code: WRONG_TYPE, reason: types.length === 0 ? message : `${types.join(', ')}: ${message}` }
}

const ABOUT_TYPES = new Set<DuckdbErrorKind | undefined>(['binder', 'ambiguous_call', 'conversion', 'invalid_input'])

/** Whether a statement is right for records whose columns have other types. */
export function isAboutTypes(error: unknown): boolean {
  if (error instanceof NodeFault && error.kind === 'shape') return true
  const { cause } = error instanceof NodeFault ? error : { cause: error }
  // A column that is not there is not there for any record, and is a kind of its own.
  return ABOUT_TYPES.has(duckdbErrorKind(cause))
}
