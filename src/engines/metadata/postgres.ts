import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Metadata, Tables } from './index.ts'
import { runMigrations } from './migrations.ts'
import { postgresRetryable } from './postgres-errors.ts'

const MAX_CONNECTIONS = 20
const MAX_ATTEMPTS = 5
const BIGINT_OID = 20

/** The same promises on a server that several replicas share. */
export function openPostgres(url: string): Metadata {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: 5000,
    statement_timeout: 30_000,
    application_name: 'millrace',
    // Whole numbers stay below 2^53 by contract; the driver's default would turn them into strings.
    types: { getTypeParser: (oid, format) => (oid === BIGINT_OID ? Number : pg.types.getTypeParser(oid, format)) }
  })
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {})
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })

  const transaction: Metadata['transaction'] = async (work) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await db.transaction().execute(work)
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !postgresRetryable(error)) throw error
      }
    }
  }

  return {
    dialect: 'postgres',
    db,
    transaction,
    migrate: (migrations) => runMigrations({ dialect: 'postgres', transaction }, migrations),
    async ping() {
      await sql`select 1`.execute(db)
    },
    close: () => db.destroy()
  }
}
