import { sqlName } from '../../../data/relation.ts'
import type { DataColumn } from '../../../data/sql-process/messages.ts'
import type { RuleConfig } from '../rules/schema.ts'
import { kindOf } from './columns.ts'
import type { Compiled } from './compile.ts'
import type { Bounds } from './ladder.ts'
import { doubleSql, numberSql, timeSql } from './literals.ts'
import { mismatch } from './unaskable.ts'
import type { WholeBounds } from './whole-limits.ts'

/**
 * Values that are no numbers are in no range; the infinities lie beyond every bound. Texts are read as what the bounds are:
 * one odd text makes texts of a whole column of numbers, and those are what is asked for.
 */
export function outside(column: DataColumn, config: RuleConfig): Pick<Compiled, 'failed' | 'either'> {
  const kind = kindOf(column.type)
  if (kind === 'text') return unreadOrOutside(column, config)
  if (kind !== 'whole' && kind !== 'float' && kind !== 'time') {
    throw mismatch(column, 'range is about numbers, times and texts that can be read as such')
  }
  const parts = beyond(sqlName(column.name), column, config)
  // What is no number is also greater than all that are.
  return { failed: `(${parts.join(' OR ')})`, either: kind === 'float' ? undefined : parts }
}

function unreadOrOutside({ name }: DataColumn, config: RuleConfig): Pick<Compiled, 'failed'> {
  const type = typeof (config.min ?? config.max) === 'number' ? 'DOUBLE' : 'TIMESTAMP WITH TIME ZONE'
  const read = `try_cast(${sqlName(name)}::VARCHAR AS ${type})`
  const parts = [`${read} IS NULL`, ...beyond(read, { name, type }, config)]
  return { failed: `(${sqlName(name)} IS NOT NULL AND (${parts.join(' OR ')}))` }
}

function beyond(value: string, column: DataColumn, { min, max }: RuleConfig): string[] {
  const kind = kindOf(column.type)
  const literal = (bound: number | string, member: string): string => {
    if ((typeof bound === 'string') !== (kind === 'time')) {
      throw mismatch(column, kind === 'time' ? 'the bounds must be times' : 'the bounds must be numbers', member)
    }
    if (typeof bound === 'string') return timeSql(column, bound)
    return column.type === 'DOUBLE' ? doubleSql(bound) : numberSql(bound)
  }
  return [
    ...(min === undefined ? [] : [`${value} < ${literal(min, 'min')}`]),
    ...(max === undefined ? [] : [`${value} > ${literal(max, 'max')}`]),
    ...(kind === 'float' ? [`isnan(${value})`] : [])
  ]
}

/** What the bounds are, where several rules can be asked of them at once. */
export function boundsOf(
  column: DataColumn,
  { min, max, where }: RuleConfig
): Pick<Compiled, 'bounds' | 'times' | 'wholes'> {
  const value = sqlName(column.name)
  const number = (bound: number | string | undefined) => (typeof bound === 'number' ? bound : undefined)
  const bounds = { value, min: number(min), max: number(max) }
  if (column.type === 'DOUBLE') return { bounds }
  if (kindOf(column.type) === 'whole' && where === undefined) return { wholes: wholeBoundsOf(column, bounds) }
  if (!/^TIMESTAMP(?:_NS| WITH TIME ZONE)?$/.test(column.type) || where !== undefined) return {}
  const time = (bound: number | string | undefined) =>
    bound === undefined ? undefined : timeSql(column, String(bound))
  return { times: { value, min: time(min), max: time(max) } }
}

/** Types whose values are all BIGINT. */
const BIGINTS = /^(?:U?(?:TINYINT|SMALLINT|INTEGER)|BIGINT)$/
/** What bounds are among whole numbers; undefined where they, or the values, may be too great to be exact. */
function wholeBoundsOf({ type }: DataColumn, { value, min, max }: Bounds): WholeBounds | undefined {
  const [least, most] = [min === undefined ? min : Math.ceil(min), max === undefined ? max : Math.floor(max)]
  const areExact = [least, most].every((bound) => bound === undefined || Number.isSafeInteger(bound))
  return BIGINTS.test(type) && areExact ? { value, min: least, max: most } : undefined
}
