import type { Traits } from '../analysis/context.ts'
import { analysed } from '../analysis/statement.ts'
import { GivenUp } from '../effort.ts'
import { type KnownTables, nothingKnown, type StatementLineage } from '../lineage.ts'
import { VALUE_NAMES } from './functions.ts'
import { isNode, textOf } from './node.ts'
import { QueryReader } from './queries.ts'

export const DUCKDB: Traits = { hasAliasesInSelect: true, putsUsingFirst: false, valueNames: VALUE_NAMES }

/**
 * The lineage of a statement from its tree, as DuckDB's `json_serialize_sql` gives it: pure, and quick enough for any thread.
 * It never throws: what is not understood is told.
 */
export function lineageOf(tree: unknown, known: KnownTables): StatementLineage {
  try {
    return analysed({ kind: 'query', query: queryOf(tree) }, known, DUCKDB)
  } catch (error) {
    if (error instanceof GivenUp) return nothingKnown(error.message)
    throw error
  }
}

export function queryOf(tree: unknown) {
  if (!isNode(tree) || tree.error === true) {
    throw new GivenUp(
      isNode(tree) && textOf(tree.error_message) !== '' ? textOf(tree.error_message) : 'The SQL can not be read.'
    )
  }
  const statements = Array.isArray(tree.statements) ? tree.statements : []
  const [statement] = statements
  if (statements.length !== 1 || !isNode(statement)) throw new GivenUp('The SQL is not exactly one statement.')
  return new QueryReader().read(statement.node)
}
