import type { DuckDBConnection } from '@duckdb/node-api'
import { NodeFault } from '../nodes/context.ts'
import type { Rejected } from '../nodes/source.ts'
import { toFault } from './faults.ts'

export const MAX_RECORD_CHARS = 32_768
/** Of one batch: where more are at fault it is the pipeline that is, or what feeds it. */
const MAX_REJECTED = 10_000

/**
 * Finds the records at fault by halves, and does the work with all others. `table` was made by one statement, so that its row
 * numbers run from 0 to `rows`.
 */
export async function bisect(
  database: DuckDBConnection,
  table: string,
  rows: number,
  work: (select: string) => Promise<void>
): Promise<{ rejected: Rejected[]; rows: number[] }> {
  const rejected: Rejected[] = []
  const rejectedRows: number[] = []
  const ranges: [number, number][] = [[0, rows]]
  for (let range = ranges.pop(); range !== undefined; range = ranges.pop()) {
    const [from, to] = range
    try {
      await work(`SELECT * FROM ${table} WHERE rowid >= ${from} AND rowid < ${to}`)
    } catch (error) {
      const fault = toFault(error)
      if (fault.kind !== 'records') throw fault
      if (to - from === 1) {
        if (rejected.length === MAX_REJECTED) throw tooMany(fault)
        rejected.push(await rejectedRow(database, table, from, fault))
        rejectedRows.push(from)
      } else {
        const middle = Math.floor((from + to) / 2)
        ranges.push([middle, to], [from, middle]) // in this order, so that records keep theirs
      }
    }
  }
  return { rejected, rows: rejectedRows }
}

const tooMany = ({ code, message }: NodeFault) =>
  new NodeFault('fatal', 'too_many_bad_records', `More than ${MAX_REJECTED} records of one batch: ${message} (${code})`)

async function rejectedRow(
  database: DuckDBConnection,
  table: string,
  row: number,
  fault: NodeFault
): Promise<Rejected> {
  return {
    code: fault.code,
    reason: fault.message,
    record: await recordText(database, `${table} WHERE rowid = ${row}`)
  }
}

/** The one record of a relation as JSON. */
async function recordText(database: DuckDBConnection, from: string): Promise<string> {
  const [text = ''] = await recordTexts(database, `SELECT * FROM ${from}`)
  return text
}

export async function recordTexts(database: DuckDBConnection, select: string): Promise<string[]> {
  const reader = await database.runAndReadAll(`SELECT to_json(r)::VARCHAR FROM (${select}) r`)
  return reader.getRows().map(([text]) => String(text).slice(0, MAX_RECORD_CHARS))
}
