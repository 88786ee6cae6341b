import { sqlName } from '../../../../data/relation.ts'
import { NodeFault } from '../../contract/context.ts'
import type { Column } from '../../duckdb/columns.ts'
import type { SqlPart } from '../../duckdb/parse-sql.ts'
import { columnNamed } from './key-text.ts'

const YEAR_MS = 366 * 86_400_000

/**
 * The latest time that is believed, in microseconds: a year ahead of the clock. What waits for others goes by the newest time
 * there was, so that a single 9999-12-31 would have it given up for all others.
 */
export const latestUs = (nowMs: number): bigint => BigInt(Math.floor(nowMs + YEAR_MS)) * 1000n

/** The time of a record in microseconds, NULL where it has none that is believed. */
export function timeUs(time: string, columns: readonly Column[], latest: bigint): string {
  const us = microsOf(time, columns)
  return `CASE WHEN ${us} <= ${latest} THEN ${us} END`
}

function microsOf(time: string, columns: readonly Column[]): string {
  const { name, type } = columnNamed(time, columns)
  if (type === '"NULL"') return 'NULL::BIGINT'
  if (type === 'VARCHAR') return `epoch_us(${sqlName(name)}::TIMESTAMPTZ)`
  // Days and seconds reach farther than microseconds do; the cast of one that is too far would fail with all others.
  if (type === 'DATE' || type.startsWith('TIMESTAMP')) return `epoch_us(TRY_CAST(${sqlName(name)} AS TIMESTAMP))`
  throw new NodeFault(
    'fatal',
    'no_timestamp',
    `The column ${time} is ${type}; make it a timestamp with a map, such as to_timestamp(${time})`
  )
}

/** The cast that reads the time of a record from a text. */
export function timeCasts(time: string | undefined, columns: readonly Column[]): SqlPart[] {
  const type = columns.find(({ name }) => name.toLowerCase() === time?.toLowerCase())?.type
  if (time === undefined || type !== 'VARCHAR') return []
  return [{ pointer: '/time', text: `${sqlName(time)}::TIMESTAMPTZ`, form: 'row' }]
}
