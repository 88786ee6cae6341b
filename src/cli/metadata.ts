import { existsSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { Db } from '../engines/metadata/index.ts'
import { metadataFile } from '../platform.ts'
import { Trouble } from './command.ts'

export interface ReadableMetadata {
  readonly db: Db
  close(): Promise<void>
}

/** Opens the configured database for reading: nothing is made or changed, and a server may be running on it. */
export async function openToRead(config: Config): Promise<ReadableMetadata> {
  if (config.databaseUrl !== undefined) {
    const { openPostgres } = await import('../engines/metadata/postgres.ts')
    return openPostgres(config.databaseUrl)
  }
  const file = metadataFile(config)
  if (!existsSync(file)) {
    throw new Trouble(`There is no database at ${file}: check DATA_DIR, or start the server once to make it.`)
  }
  const { DatabaseSync } = await import('node:sqlite')
  const { sqliteBuilder } = await import('../engines/metadata/sqlite-dialect.ts')
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  return { db: sqliteBuilder(database, { failed: () => {} }), close: async () => database.close() }
}
