import type { DuckDBConnection } from '@duckdb/node-api'
import { NodeFault } from '../contract/context.ts'
import { toFault } from '../contract/faults.ts'
import { ROW } from '../contract/source.ts'
import type { Column } from '../duckdb/columns.ts'
import { firstRow } from '../duckdb/database.ts'
import { type Caught, recordJson } from '../records/sieve.ts'

/** Records of one batch that may be refused after a search by halves. Where more fail, the pipeline is at fault, or what feeds it. */
const MAX_REJECTED = 10_000

/** Finds the records at fault by halves, and does the work with all others. `table` was made by one statement. */
export async function bisect(
  database: DuckDBConnection,
  { table, columns }: { readonly table: string; readonly columns: readonly Column[] },
  work: (where: string) => Promise<void>
): Promise<Caught[]> {
  const caught: Caught[] = []
  const counted = await firstRow(database, `SELECT count(*) AS count FROM ${table}`)
  const ranges: [number, number][] = [[0, Number(counted?.count)]]
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const [from, to] = range
    if (from === to) continue
    try {
      await work(`rowid >= ${from} AND rowid < ${to}`)
    } catch (error) {
      const fault = toFault(error)
      if (fault.kind !== 'records') throw fault
      if (to - from === 1) {
        if (caught.length === MAX_REJECTED) throw tooMany(fault)
        caught.push(await caughtRow(database, table, columns, from, fault))
      } else {
        const middle = Math.floor((from + to) / 2)
        ranges.push([middle, to], [from, middle]) // in this order, so that records keep theirs
      }
    }
  }
  return caught
}

const tooMany = ({ code, message }: NodeFault) =>
  new NodeFault('fatal', 'too_many_bad_records', `More than ${MAX_REJECTED} records of one batch: ${message} (${code})`)

async function caughtRow(
  database: DuckDBConnection,
  table: string,
  columns: readonly Column[],
  rowid: number,
  { code, message: reason }: NodeFault
): Promise<Caught> {
  const sql = `SELECT ${ROW} AS row, ${recordJson(columns)} AS record FROM ${table} WHERE rowid = ${rowid}`
  const found = await firstRow(database, sql)
  return { row: Number(found?.row), code, reason, record: String(found?.record), columns }
}
