import { sqlName } from '../../../data/relation.ts'
import type { DataColumn } from '../../../data/sql-process/messages.ts'
import type { RuleConfig } from '../rules/schema.ts'
import { kindOf } from './columns.ts'
import type { Compiled } from './compile.ts'
import { doubleSql, numberSql, timeSql } from './literals.ts'
import { mismatch } from './unaskable.ts'

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
export function boundsOf(column: DataColumn, { min, max, where }: RuleConfig): Pick<Compiled, 'bounds' | 'times'> {
  const value = sqlName(column.name)
  if (column.type === 'DOUBLE') {
    const number = (bound: number | string | undefined) => (typeof bound === 'number' ? bound : undefined)
    return { bounds: { value, min: number(min), max: number(max) } }
  }
  if (!/^TIMESTAMP(?:_NS| WITH TIME ZONE)?$/.test(column.type) || where !== undefined) return {}
  const time = (bound: number | string | undefined) =>
    bound === undefined ? undefined : timeSql(column, String(bound))
  return { times: { value, min: time(min), max: time(max) } }
}
