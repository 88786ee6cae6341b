import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { METADATA_PART } from './parts.ts'

/** Reads the copy of the database in a backup; undefined where the backup has none, or one without these tables. */
export async function readCopy<T>(
  backup: string,
  tables: readonly string[],
  read: (database: DatabaseSync) => T | Promise<T>
): Promise<T | undefined> {
  const file = join(backup, METADATA_PART)
  if (!existsSync(file)) return undefined
  const address = pathToFileURL(file)
  address.search = '?immutable=1' // otherwise SQLite would put files of its own beside it
  const database = new DatabaseSync(address, { readOnly: true })
  try {
    const find = database.prepare(`select 1 from sqlite_schema where type = 'table' and name = ?`)
    return tables.every((name) => find.get(name) !== undefined) ? await read(database) : undefined
  } finally {
    database.close()
  }
}
