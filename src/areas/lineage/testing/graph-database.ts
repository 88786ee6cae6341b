import { createTestDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { AREAS } from '../../../areas.ts'
import { systemClock } from '../../../engines/clock.ts'
import type { Db, Metadata } from '../../../engines/metadata/index.ts'
import { Lineage } from '../lineage.ts'
import { type EdgeRow, lineageMigrations, type MappingRow } from '../migrations.ts'
import { nodeKey } from '../references.ts'

/** A database with the tables of the lineage, and of little else. */
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
    // Names of sources and pipelines are asked for, and levels follow what changes.
    const others = AREAS.filter(({ name }) => ['catalog', 'classification', 'pipelines'].includes(name))
    const migrations = await Promise.all(others.map((area) => area.migrations?.load() ?? []))
    await metadata.migrate([...migrations.flat(), ...lineageMigrations])
    return new GraphDatabase(database, metadata)
  }

  async empty(): Promise<void> {
    const tables = ['nodes', 'jobs', 'runs', 'bases', 'statements', 'edges', 'mappings', 'links'] as const
    await this.metadata.transaction(async (tx) => {
      for (const table of tables) await tx.deleteFrom(`lineage_${table}`).execute()
    })
  }

  /** Writes that pairs of references are two names of the same data, one way. */
  async addNames(tx: Db, pairs: readonly { readonly from: string; readonly to: string }[]): Promise<void> {
    for (const { from, to } of pairs) {
      const ends = { from_node: nodeKey(from), to_node: nodeKey(to) }
      const row = { ...ends, how: 'openlineage', job: '', type: 'same', started_ms: 1, ended_ms: null } as const
      await tx
        .insertInto('lineage_edges')
        .values({ ...row, seen_ms: null, runs: 0 })
        .execute()
    }
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
