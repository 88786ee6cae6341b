import { sqlName } from '../../../data/relation.ts'
import type { Kind } from './shapes.ts'

/** A column whose type the definition tells. */
export interface ToldColumn {
  readonly name: string
  readonly type: string
}

const WHOLE = /^(?:INTEGER|BIGINT|HUGEINT)$/
const BY_KIND: Readonly<Record<string, Kind>> = { DOUBLE: 'number', VARCHAR: 'text', BOOLEAN: 'boolean', JSON: 'json' }

/** Whether numbers that are not whole would be rounded, if nobody looked. */
export const isWhole = (type: string): boolean => WHOLE.test(type)

/** Whether values of this kind are already what the column is to hold. */
export const isHeldAs = (type: string, kind: Kind): boolean => kind === 'null' || BY_KIND[type] === kind

/** SQL of a text, which is SQL itself, as the type that is told; NULL where it can't be. */
export function readAs(text: string, type: string): string {
  if (type === 'VARCHAR') return text
  if (type === 'JSON') return `${text}::JSON`
  // A TIMESTAMP by itself would forget the offset.
  if (type === 'TIMESTAMP') return `TRY_CAST(${text} AS TIMESTAMPTZ)::TIMESTAMP`
  return `TRY_CAST(${text} AS ${type})`
}

/** What a number may count since 1970. */
export const EPOCH_UNITS = ['d', 'ms', 'us', 'ns'] as const
export type EpochUnit = (typeof EPOCH_UNITS)[number]

const EPOCHS: Readonly<Record<EpochUnit, string>> = {
  d: "DATE '1970-01-01' + $::INTEGER",
  ms: 'make_timestamp_ms($::BIGINT)',
  us: 'make_timestamp($::BIGINT)',
  ns: 'make_timestamp_ns($::BIGINT)'
}

/** SQL of a text in which a whole number since 1970 is the time that it means; what is out of range stays as it is. */
export function withoutEpoch(text: string, unit: EpochUnit): string {
  const time = EPOCHS[unit].replace('$', () => `(CASE WHEN regexp_full_match(${text}, '-?[0-9]+') THEN ${text} END)`)
  return `coalesce(TRY((${time})::VARCHAR), ${text})`
}

/** SQL of whether a text can be read as the type that is told, with nothing of it lost. */
export function fits(text: string, type: string): string {
  if (type === 'VARCHAR' || type === 'JSON') return 'true'
  const value = readAs(text, type)
  const isExact = isWhole(type) ? ` AND ${value} = TRY_CAST(${text} AS DOUBLE)` : ''
  return `(${text} IS NULL OR coalesce(${value} IS NOT NULL${isExact}, false))`
}

/** SQL of a column of any type as the type that is told; it fails where that can't be, or would lose something. */
function castTo({ name, type }: ToldColumn): string {
  const text = `(${asText(sqlName(name))})`
  if (type === 'VARCHAR') return text
  if (type === 'TIMESTAMP') return `${sqlName(name)}::VARCHAR::TIMESTAMPTZ::TIMESTAMP`
  if (!isWhole(type)) return `${sqlName(name)}::${type}`
  const isRounded = `TRY_CAST(${text} AS DOUBLE) <> trunc(TRY_CAST(${text} AS DOUBLE))`
  return `(CASE WHEN ${isRounded} THEN ${text} || ', which is not whole' ELSE ${text} END)::${type}`
}

/** For a `map`: columns by name, each as the type that is told; a bare NULL has none. */
export function castsTo(columns: readonly ToldColumn[]): Record<string, string> {
  const typed = columns.filter(({ type }) => type !== '"NULL"')
  return Object.fromEntries(typed.map((column) => [column.name, castTo(column)]))
}

/** SQL of a value as the text that JSON and people have for it: 7, where SQL writes 7.0 for a DOUBLE. */
export const asText = (value: string): string =>
  `CASE WHEN typeof(${value}) IN ('DOUBLE', 'FLOAT') THEN regexp_replace(${value}::VARCHAR, '\\.0$', '') ELSE ${value}::VARCHAR END`
