import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlName } from '../../../data/relation.ts'
import { type BatchPart, ROW } from '../contract/source.ts'
import { tableName } from '../contract/state-table.ts'
import { columnList } from '../duckdb/columns.ts'
import { runCounted } from '../duckdb/database.ts'
import { givenFlow, type TrackedFlow } from './tracked-flow.ts'

/** The tables that the records of one batch are held in on their way. */
export class FlowTables {
  readonly #database: DuckDBConnection
  readonly #schema: string
  readonly #names: string[] = []
  #made = 0

  constructor(database: DuckDBConnection, schema: string) {
    this.#database = database
    this.#schema = schema
  }

  /** Fills a new one with what a SELECT gives. */
  async make(sql: string): Promise<{ table: string; rows: number }> {
    const table = this.newName()
    const rows = await runCounted(this.#database, `CREATE TABLE ${table} AS ${sql}`)
    return { table, rows }
  }

  newName(): string {
    this.#made += 1
    const table = tableName(this.#schema, `flow_${this.#made}`)
    this.#names.push(table)
    return table
  }

  async drop(): Promise<void> {
    for (const table of this.#names.splice(0)) await this.#database.run(`DROP TABLE IF EXISTS ${table}`)
  }
}

/** A table with `ROW` as a flow. */
export function tableFlow(table: string, part: BatchPart): TrackedFlow {
  const { columns } = part
  const list = columnList(columns)
  const sql = `SELECT ${list === '' ? 'NULL AS "nothing"' : list} FROM ${table}`
  const numbered = `SELECT ${[...columns.map(({ name }) => sqlName(name)), ROW].join(', ')} FROM ${table}`
  return { ...givenFlow({ ...part, sql, numbered }), table }
}
