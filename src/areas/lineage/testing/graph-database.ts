import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { systemClock } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import { Lineage } from '../lineage.ts'
import { type EdgeRow, lineageMigrations, type MappingRow } from '../migrations.ts'

/** A database with the tables of the lineage alone. */
export class GraphDatabase {
  readonly lineage = new Lineage({ clock: systemClock })
  readonly metadata: Metadata
  readonly #database: TestDatabase

  private constructor(database: TestDatabase, metadata: Metadata) {
    this.#database = database
    this.metadata = metadata
  }

  static async open(): Promise<GraphDatabase> {
    const database = await createTestDatabase()
    const metadata = await database.open()
    await metadata.migrate(lineageMigrations)
    return new GraphDatabase(database, metadata)
  }

  async empty(): Promise<void> {
    const tables = ['nodes', 'jobs', 'runs', 'bases', 'statements', 'edges', 'mappings', 'links'] as const
    await this.metadata.transaction(async (tx) => {
      for (const table of tables) await tx.deleteFrom(`lineage_${table}`).execute()
    })
  }

  /** All periods, in one order. */
  async periods(): Promise<{ edges: EdgeRow[]; mappings: MappingRow[] }> {
    const { db } = this.metadata
    const edges = await db.selectFrom('lineage_edges').selectAll().execute()
    const mappings = await db.selectFrom('lineage_mappings').selectAll().execute()
    return { edges: inOrder(edges), mappings: inOrder(mappings) }
  }

  async close(): Promise<void> {
    await this.metadata.close()
    await this.#database.drop()
  }
}

const inOrder = <R>(rows: readonly R[]): R[] =>
  rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
