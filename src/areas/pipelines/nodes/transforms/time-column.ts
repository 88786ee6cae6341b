import { sqlName } from '../../../../data/relation.ts'
import { NodeFault } from '../../contract/context.ts'
import type { Column } from '../../duckdb/columns.ts'
import type { SqlPart } from '../../duckdb/parse-sql.ts'
import { columnNamed } from './key-text.ts'

/** The time of a record in microseconds, NULL where it has none. */
export function timeUs(time: string, columns: readonly Column[]): string {
  const { name, type } = columnNamed(time, columns)
  if (type === '"NULL"') return 'NULL::BIGINT'
  if (type === 'VARCHAR') return `epoch_us(${sqlName(name)}::TIMESTAMPTZ)`
  if (type === 'DATE' || type.startsWith('TIMESTAMP')) return `epoch_us(${sqlName(name)}::TIMESTAMP)`
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
