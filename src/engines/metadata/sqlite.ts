import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import type { Copyable, Db, Metadata } from './index.ts'
import { runMigrations } from './migrations.ts'
import { sqliteBuilder } from './sqlite-dialect.ts'

const MAX_BATCH = 128

interface Queued {
  work: (tx: Db) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

/**
 * One connection writes, another reads. Transactions that are waiting at the same time share one commit, each within a
 * savepoint of its own: the disk is flushed once for all of them, so that full durability costs a busy server little.
 */
export function openSqlite(file: string): Metadata & Copyable {
  mkdirSync(dirname(file), { recursive: true })
  const writer = open(file)
  const reader = open(file)
  reader.exec('pragma query_only = on')
  const tx = sqliteBuilder(writer)
  const db = sqliteBuilder(reader)

  const queue: Queued[] = []
  let draining: Promise<void> | undefined

  async function drain(): Promise<void> {
    while (queue.length > 0) await commitBatch()
    draining = undefined
  }

  async function commitBatch(): Promise<void> {
    const done: { item: Queued; value: unknown }[] = []
    try {
      writer.exec('begin immediate')
      for (let taken = 0; taken < MAX_BATCH; taken++) {
        const item = queue.shift()
        if (item === undefined) break
        writer.exec('savepoint one')
        try {
          const value = await item.work(tx)
          writer.exec('release one')
          done.push({ item, value })
        } catch (error) {
          item.reject(error)
          // Where SQLite itself has given up the whole transaction (a full disk), this throws and ends the batch.
          writer.exec('rollback to one; release one')
        }
      }
      writer.exec('commit')
    } catch (error) {
      if (writer.isTransaction) writer.exec('rollback')
      // Before `begin` succeeded nothing was taken: fail the ones that wait rather than try for ever.
      const failed = done.length > 0 ? done.map(({ item }) => item) : queue.splice(0, MAX_BATCH)
      for (const item of failed) item.reject(error)
      return
    }
    for (const { item, value } of done) item.resolve(value)
  }

  const transaction = <T>(work: (tx: Db) => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      queue.push({ work, resolve: resolve as (value: unknown) => void, reject })
      draining ??= drain()
    })

  return {
    dialect: 'sqlite',
    db,
    transaction,
    migrate: (migrations) => runMigrations({ dialect: 'sqlite', transaction }, migrations),
    async ping() {
      reader.exec('select 1')
    },
    async copyTo(path) {
      await backup(reader, path)
    },
    async close() {
      await draining
      reader.close()
      writer.close()
    }
  }
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5000 })
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  return database
}
