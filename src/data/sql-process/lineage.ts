import type { DuckDBConnection } from '@duckdb/node-api'
import type { KnownTables, StatementLineage } from '../../engines/sql-lineage/index.ts'
import type { RunRequest } from './messages.ts'
import { lockIn, parse } from './session.ts'

/** Reads a statement here, because trees of SQL are large and the server has other work. */
export async function lineageIn(
  connection: DuckDBConnection,
  request: RunRequest,
  known: KnownTables
): Promise<StatementLineage> {
  // Not before: queries need none of it.
  const { lineageOfSql } = await import('../../engines/sql-lineage/index.ts')
  await lockIn(connection, request)
  return lineageOfSql(request.sql, known, async (statements) => {
    const trees: unknown[] = []
    for (const statement of statements) trees.push(await parse(connection, statement))
    return trees
  })
}
