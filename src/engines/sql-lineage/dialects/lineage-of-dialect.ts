import type { Traits } from '../analysis/context.ts'
import { analysed } from '../analysis/statement.ts'
import { GivenUp } from '../effort.ts'
import { type KnownTables, nothingKnown, type StatementLineage } from '../lineage.ts'
import { readStatement } from './statements.ts'

/** Dialects that another parser than DuckDB's reads. */
export type OtherDialect = 'postgres' | 'mysql' | 'bigquery'

const TRAITS: Traits = { hasAliasesInSelect: false, putsUsingFirst: true }

/** The lineage of a statement from the tree that `sqlparser` gives of it. */
export function lineageOfDialect(tree: unknown, known: KnownTables): StatementLineage {
  try {
    return analysed(readStatement(tree), known, TRAITS)
  } catch (error) {
    if (error instanceof GivenUp) return nothingKnown(error.message)
    throw error
  }
}
