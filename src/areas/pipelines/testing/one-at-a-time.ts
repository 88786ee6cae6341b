import assert from 'node:assert/strict'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'

/**
 * Notices statements that are begun on a connection while one with values, or one that was prepared, is under way on it. DuckDB
 * runs those in several steps, and gives one up where another comes between them: now and then, never on a machine at rest.
 * (A statement without values is one step, and waits.) Answers what fails where there were any.
 */
export function watchStatements(instance: DuckDBInstance): () => void {
  const overlaps: string[] = []
  const connect = instance.connect.bind(instance)
  instance.connect = async () => {
    const connection = await connect()
    watch(connection, overlaps)
    return connection
  }
  return () => assert.deepEqual(overlaps, [], 'nothing comes between the steps of a statement')
}

function watch(connection: DuckDBConnection, overlaps: string[]): void {
  const underWay = new Set<{ readonly sql: string; readonly isOneStep: boolean }>()
  async function watched<T>(sql: string, isOneStep: boolean, work: () => Promise<T>): Promise<T> {
    const statement = { sql, isOneStep }
    const other = [...underWay].find((one) => !isOneStep || !one.isOneStep)
    if (other !== undefined) overlaps.push(`${sql} beside ${other.sql}`)
    underWay.add(statement)
    try {
      return await work()
    } finally {
      underWay.delete(statement)
    }
  }
  const run = connection.run.bind(connection)
  const stream = connection.stream.bind(connection)
  const prepare = connection.prepare.bind(connection)
  connection.run = (sql, values, types) => watched(sql, values === undefined, () => run(sql, values, types))
  connection.stream = (sql, values, types) => watched(sql, false, () => stream(sql, values, types))
  connection.prepare = async (sql) => {
    const prepared = await watched(sql, true, () => prepare(sql))
    const runPrepared = prepared.run.bind(prepared)
    prepared.run = () => watched(sql, false, runPrepared)
    return prepared
  }
}
