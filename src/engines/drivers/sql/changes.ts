import type { SqlDatabase } from '../../sql/index.ts'
import { SourceError } from '../errors.ts'
import type { StreamChanges, StreamChangesChunk, StreamChangesRead } from '../index.ts'
import { fromSql } from './errors.ts'

/** The changes of a table, with errors as those of a source. */
export function changesOf(database: SqlDatabase, { stream, ...request }: StreamChangesRead): StreamChanges {
  const changes = database.changes?.({ table: stream, ...request })
  if (changes === undefined)
    throw new SourceError('changes_off', 'This database has no log of changes that can be read')
  return {
    confirm: (position) => changes.confirm(position),
    async *[Symbol.asyncIterator](): AsyncGenerator<StreamChangesChunk> {
      try {
        yield* changes
      } catch (error) {
        throw fromSql(error)
      }
    }
  }
}
