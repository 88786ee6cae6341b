import { Closed } from '../../../http/schemas.ts'
import { DURATION_FORM, MAX_DURATION_CHARS, parseDuration } from '../../../http/times.ts'
import { type Static, type TSchema, Type } from '../../../http/type.ts'
import type { SqlPart } from '../duckdb/parse-sql.ts'
import type { ConfigFault } from './node-type.ts'

/** Pieces that the configurations of nodes are made of. */

export const Expression = (description: string) => Type.String({ minLength: 1, maxLength: 10_000, description })

/** A text in single quotes, where the name of a column could stand: it is the value itself. */
export const CONSTANT = /^'(.*)'$/s

export const ColumnName = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })

/** Columns by their names, each with the SQL expression that it is made of. */
export const Expressions = (description: string) =>
  Type.Unsafe<Readonly<Record<string, string>>>({
    type: 'object',
    minProperties: 1,
    maxProperties: 500,
    propertyNames: { minLength: 1, maxLength: 200 },
    additionalProperties: Expression('A SQL expression'),
    description
  })

export const DurationText = (description: string) =>
  Type.String({ minLength: 2, maxLength: MAX_DURATION_CHARS, description: `${description}: ${DURATION_FORM}` })

export const Config = <P extends Record<string, TSchema>>(properties: P) => Closed(properties)
export type ConfigOf<S extends TSchema> = Static<S>

/** Milliseconds of a duration that `durationFaults` has let through. */
export function durationMs(text: string): number {
  const { count, unit } = parseDuration(text) ?? { count: 0, unit: 'ms' as const }
  return count * UNIT_MS[unit as keyof typeof UNIT_MS]
}

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** Faults of the fields that are given and are no durations of a fixed length. */
export function durationFaults<C extends object>(config: C, fields: readonly (keyof C & string)[]): ConfigFault[] {
  return fields.flatMap((field) => {
    const value = config[field]
    if (typeof value !== 'string') return []
    const duration = parseDuration(value)
    if (duration !== undefined && duration.unit in UNIT_MS) return []
    return [{ pointer: `/${field}`, message: 'must be a whole number from 1 on and a unit (ms s m h d w), such as 5m' }]
  })
}

export function expressionParts(field: string, expressions: Readonly<Record<string, string>>, form: SqlPart['form']) {
  return Object.entries(expressions).map(([name, text]): SqlPart => {
    return { pointer: `/${field}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, text, form }
  })
}
