import { type Kysely, sql } from 'kysely'
import type { AuditHeadRow, AuditRow, CheckpointRow } from '../../src/areas/audit/migrations.ts'
import type { Db } from '../../src/engines/metadata/index.ts'
import type { TestDatabase } from './database.ts'

/** The audit trail as it lies in the database. */
export interface StoredTrail {
  readonly logs: readonly AuditRow[]
  readonly heads: readonly AuditHeadRow[]
  readonly checkpoints: readonly CheckpointRow[]
}

/** What somebody can do who has the database but not the keys of the server: read and write every row. */
export interface Intruder {
  read(): Promise<StoredTrail>
  /** Puts this in the place of everything that is there. */
  write(trail: StoredTrail): Promise<void>
  /** Every row of every table as one text, to look for what must not be in it. */
  everything(): Promise<string>
  close(): Promise<void>
}

const ROWS_AT_ONCE = 500

/** Comes in by a connection of its own, past the app. */
export async function openIntruder(database: TestDatabase): Promise<Intruder> {
  const metadata = await database.open()
  return {
    async read() {
      const { db } = metadata
      return {
        logs: await db.selectFrom('audit_logs').selectAll().orderBy('lane').orderBy('seq').execute(),
        heads: await db.selectFrom('audit_heads').selectAll().orderBy('lane').execute(),
        checkpoints: await db.selectFrom('audit_checkpoints').selectAll().orderBy('lane').orderBy('seq').execute()
      }
    },
    async write({ logs, heads, checkpoints }) {
      await metadata.transaction(async (tx) => {
        await replace(tx, 'audit_logs', logs)
        await replace(tx, 'audit_heads', heads)
        await replace(tx, 'audit_checkpoints', checkpoints)
      })
    },
    async everything() {
      const texts = []
      for (const { name } of await metadata.db.introspection.getTables()) {
        const { rows } = await sql`select * from ${sql.table(name)}`.execute(metadata.db)
        texts.push(`${name} ${JSON.stringify(rows)}`)
      }
      return texts.join('\n')
    },
    close: () => metadata.close()
  }
}

async function replace(tx: Db, table: keyof TrailTables, rows: readonly object[]): Promise<void> {
  const anyTable = tx as unknown as Kysely<TrailTables>
  await anyTable.deleteFrom(table).execute()
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await anyTable
      .insertInto(table)
      .values(rows.slice(from, from + ROWS_AT_ONCE) as never)
      .execute()
  }
}

interface TrailTables {
  audit_logs: AuditRow
  audit_heads: AuditHeadRow
  audit_checkpoints: CheckpointRow
}
