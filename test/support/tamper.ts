import { type Kysely, sql } from 'kysely'
import type { AuditHeadRow, AuditRow, CheckpointRow } from '../../src/areas/audit/migrations.ts'
import type { Db } from '../../src/engines/metadata/index.ts'
import type { TestDatabase } from './database.ts'

/** The rows of the audit trail in the database. */
export interface StoredTrail {
  readonly logs: readonly AuditRow[]
  readonly heads: readonly AuditHeadRow[]
  readonly checkpoints: readonly CheckpointRow[]
}

/** An attacker with the database but without the server's keys: can read and write every row. */
export interface Intruder {
  read(): Promise<StoredTrail>
  /** Replaces all rows by these. */
  write(trail: StoredTrail): Promise<void>
  /** Every row of every table as one text, to search for what must not be in it. */
  everything(): Promise<string>
  close(): Promise<void>
}

/** Uses a connection of its own, past the app. */
export async function openIntruder(database: TestDatabase): Promise<Intruder> {
  const metadata = await database.open()

  async function read(): Promise<StoredTrail> {
    const { db } = metadata
    return {
      logs: await db.selectFrom('audit_logs').selectAll().orderBy('lane').orderBy('seq').execute(),
      heads: await db.selectFrom('audit_heads').selectAll().orderBy('lane').execute(),
      checkpoints: await db.selectFrom('audit_checkpoints').selectAll().orderBy('lane').orderBy('seq').execute()
    }
  }

  return {
    read,
    async write({ logs, heads, checkpoints }) {
      const now = await read()
      await metadata.transaction(async (tx) => {
        await replace(tx, 'audit_logs', now.logs, logs)
        await replace(tx, 'audit_heads', now.heads, heads)
        await replace(tx, 'audit_checkpoints', now.checkpoints, checkpoints)
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

interface Placed {
  readonly lane: number
  readonly seq: number
}

/** Changes only the rows that differ: a trail is written dozens of times, and is nearly the same each time. */
async function replace<T extends Placed>(tx: Db, table: keyof TrailTables, now: readonly T[], next: readonly T[]) {
  const anyTable = tx as unknown as Kysely<TrailTables>
  for (const { lane, seq } of without(now, next)) {
    await anyTable.deleteFrom(table).where('lane', '=', lane).where('seq', '=', seq).execute()
  }
  const added = without(next, now)
  if (added.length > 0)
    await anyTable
      .insertInto(table)
      .values(added as never)
      .execute()
}

function without<T extends Placed>(rows: readonly T[], others: readonly T[]): T[] {
  const known = new Set(others.map((row) => JSON.stringify(row)))
  return rows.filter((row) => !known.has(JSON.stringify(row)))
}

interface TrailTables {
  audit_logs: AuditRow
  audit_heads: AuditHeadRow
  audit_checkpoints: CheckpointRow
}
