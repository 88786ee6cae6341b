import { sqlName } from '../../../data/relation.ts'
import type { Kind } from './record-shapes.ts'

/** A column whose type the definition tells. */
export interface ToldColumn {
  readonly name: string
  readonly type: string
}

const WHOLE = /^(?:INTEGER|BIGINT|HUGEINT)$/
const BY_KIND: Readonly<Record<string, Kind>> = { DOUBLE: 'number', VARCHAR: 'text', BOOLEAN: 'boolean', JSON: 'json' }

/** Whether values of this kind are already what the column is to hold. */
export const isHeldAs = (type: string, kind: Kind): boolean => kind === 'null' || BY_KIND[type] === kind

/** SQL of a text as the type that is told; NULL where it can't be. */
export function readAs({ name, type }: ToldColumn): string {
  const text = sqlName(name)
  if (type === 'VARCHAR') return text
  if (type === 'JSON') return `${text}::JSON`
  // A TIMESTAMP by itself would forget the offset.
  if (type === 'TIMESTAMP') return `TRY_CAST(${text} AS TIMESTAMPTZ)::TIMESTAMP`
  return `TRY_CAST(${text} AS ${type})`
}

/** SQL of whether a text can be read as the type that is told, with nothing of it lost. */
export function fits(column: ToldColumn): string {
  const text = sqlName(column.name)
  const value = readAs(column)
  if (value === text || column.type === 'JSON') return 'true'
  const isExact = WHOLE.test(column.type) ? ` AND ${value} = TRY_CAST(${text} AS DOUBLE)` : ''
  return `(${text} IS NULL OR coalesce(${value} IS NOT NULL${isExact}, false))`
}
