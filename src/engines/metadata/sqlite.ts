import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { Reserve } from '../reserve.ts'
import type { Copyable, Db, Metadata, Watched } from './index.ts'
import { runMigrations } from './migrations.ts'
import { SqliteCondition } from './sqlite-condition.ts'
import { sqliteBuilder } from './sqlite-dialect.ts'
import { SqliteLog } from './sqlite-log.ts'
import { type Log, SqliteWriter } from './sqlite-writer.ts'

/** Writes as much as a large request does, and leaves nothing: a small write may find room where larger ones do not. */
async function writeForTrial(tx: Db): Promise<void> {
  await sql`create table trial (bytes blob)`.execute(tx)
  await sql`insert into trial values (zeroblob(65536))`.execute(tx)
  await sql`drop table trial`.execute(tx)
}
const ALL_PAGES = 2 ** 31 - 1
/**
 * Of which a small database takes what it has. With SQLite's 2 MB, what walks through a large one (the lineage of a million
 * edges) reads most pages again and again.
 */
const READER_CACHE_MB = 128
const WRITER_CACHE_MB = 32

/** One connection writes, another reads: a reader never waits for a commit. */
export function openSqlite(
  file: string,
  elapsed = () => performance.now(),
  log: Log = new SqliteLog(file)
): Metadata & Copyable & Watched {
  mkdirSync(dirname(file), { recursive: true })
  const condition = new SqliteCondition(elapsed)
  const reserve = new Reserve(file)
  const written = open(file, WRITER_CACHE_MB)
  // A commit hands what it has to the system, and the writer flushes it without holding up this thread.
  written.exec('pragma synchronous = normal')
  const writer = new SqliteWriter(written, log, condition, reserve)
  const reader = open(file, READER_CACHE_MB)
  reader.exec('pragma query_only = on')
  reserve.fill()
  const transaction: Metadata['transaction'] = (work, options) => writer.transaction(work, options)

  return {
    dialect: 'sqlite',
    db: sqliteBuilder(reader, condition),
    transaction,
    migrate: (migrations) => runMigrations({ dialect: 'sqlite', transaction }, migrations),
    changesOf: (table) => writer.changesOf(table),
    async ping() {
      reader.exec('select 1')
      if (condition.trouble === undefined) return
      await transaction(writeForTrial)
        .then(() => {
          reserve.requireRoom()
          condition.wrote()
        })
        .catch(() => {}) // already reported
      if (condition.trouble !== undefined) throw condition.trouble
    },
    async copyTo(path) {
      // In one step and on a connection of its own: a copy in steps starts again whenever somebody writes between
      // them.
      const source = open(file)
      try {
        await backup(source, path, { rate: ALL_PAGES })
      } finally {
        source.close()
      }
    },
    async close() {
      await writer.close()
      if (reader.isOpen) reader.close()
    }
  }
}

function open(file: string, cacheMb = WRITER_CACHE_MB): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5000 })
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  database.exec('pragma wal_autocheckpoint = 4000') // 16 MB: the copying back that stalls a commit comes less often
  database.exec(`pragma cache_size = -${cacheMb * 1024}`)
  return database
}
