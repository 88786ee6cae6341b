import type { SqlChunk, SqlRead } from '../index.ts'
import { type Bounds, sourceOf } from '../requests.ts'
import type { Watch } from '../watch.ts'
import type { PostgresConnection } from './connection.ts'
import { readByCopy } from './read-copy.ts'
import { readByCursor } from './read-cursor.ts'
import { statementFor } from './statement.ts'

/**
 * Reads rows in a read-only transaction: of a table by COPY, which is several times as fast; of a statement that somebody wrote by a
 * cursor, because COPY would take it as a part of its own text.
 */
export async function* readPostgres(
  connection: PostgresConnection,
  request: SqlRead,
  bounds: Bounds,
  watch: Watch
): AsyncGenerator<SqlChunk> {
  const source = sourceOf(request)
  await watch.run(() => connection.begin('read', bounds.timeoutMs))
  const statement = await watch.run(() => statementFor(connection, source, request))
  const work = { connection, statement, cursorColumn: request.cursor?.column, bounds, watch }
  if ('query' in source) yield* readByCursor(work)
  else yield* readByCopy(work)
}
