import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { DatabaseClosed } from './closed.ts'
import type { Db, Metadata, Tables } from './index.ts'
import { runMigrations } from './migrations.ts'
import { postgresRetryable } from './postgres-errors.ts'

const MAX_CONNECTIONS = 20
const MAX_ATTEMPTS = 5
const WHOLE_NUMBER_OIDS = new Set([20, 1700]) // bigint, and numeric: the type of a sum of them

/** Metadata with the same promises, on a server that several replicas share. */
export function openPostgres(url: string): Metadata {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: 5000,
    statement_timeout: 30_000,
    application_name: 'millrace',
    // Whole numbers stay below 2^53 by contract; the driver's default would turn them into strings.
    types: {
      getTypeParser: (oid, format) => (WHOLE_NUMBER_OIDS.has(oid) ? Number : pg.types.getTypeParser(oid, format))
    }
  })
  // The pool replaces a broken connection, and its statement fails. Without listeners, one for idle connections and
  // one for those in use, the error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })

  const running = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  async function attempt<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await db.transaction().execute(work)
      } catch (error) {
        if (attempts === MAX_ATTEMPTS || !postgresRetryable(error)) throw error
      }
    }
  }

  const transaction: Metadata['transaction'] = async (work) => {
    if (closing !== undefined) throw new DatabaseClosed()
    const result = attempt(work)
    running.add(result)
    return result.finally(() => running.delete(result))
  }

  // When the pool ends it forgets callers that wait for a connection; so it is ended when there are none.
  async function shut(): Promise<void> {
    await Promise.allSettled(running)
    await db.destroy()
  }

  return {
    dialect: 'postgres',
    db,
    transaction,
    migrate: (migrations) => runMigrations({ dialect: 'postgres', transaction }, migrations),
    async ping() {
      await sql`select 1`.execute(db)
    },
    close() {
      closing ??= shut()
      return closing
    }
  }
}
