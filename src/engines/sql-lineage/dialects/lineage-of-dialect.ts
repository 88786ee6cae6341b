import type { Traits } from '../analysis/context.ts'
import { analysed } from '../analysis/statement.ts'
import { GivenUp } from '../effort.ts'
import { type KnownTables, nothingKnown, type StatementLineage } from '../lineage.ts'
import type { OtherDialect } from './dialect.ts'
import { readStatement } from './statements.ts'

const TRAITS: Traits = {
  hasAliasesInSelect: false,
  putsUsingFirst: true,
  valueNames: new Set(
    `current_catalog current_date current_role current_schema current_time current_timestamp current_user localtime
    localtimestamp session_user utc_date utc_time utc_timestamp`.split(/\s+/)
  )
}

/** The lineage of a statement from the tree that `sqlparser` gives of it. */
export function lineageOfDialect(tree: unknown, known: KnownTables, dialect: OtherDialect): StatementLineage {
  try {
    return analysed(readStatement(tree, dialect), known, TRAITS)
  } catch (error) {
    if (error instanceof GivenUp) return nothingKnown(error.message)
    throw error
  }
}
