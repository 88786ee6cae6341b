import {
  type DuckDBPreparedStatement,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  timestampValue,
  VARCHAR
} from '@duckdb/node-api'
import { DataError } from '../errors.ts'
import type { SqlParameter, SqlParameters } from './messages.ts'

const TEXTS = LIST(VARCHAR)

/**
 * Binds values to the parameters of a statement. Of those that have names and are offered to any statement, only the ones that
 * it speaks of are bound; else one that it does not name, or names within a text, is a mistake.
 */
export function bindParameters(statement: DuckDBPreparedStatement, parameters: SqlParameters, isOffer: boolean): void {
  if (isList(parameters)) {
    statement.bind(parameters.map(boundValue), parameters.map(boundType) as DuckDBType[])
    return
  }
  const given = new Map(Object.entries(parameters).map(([name, value]) => [name.toLowerCase(), value]))
  const values: Record<string, DuckDBValue> = {}
  const types: Record<string, DuckDBType | undefined> = {}
  for (let at = 1; at <= statement.parameterCount; at++) {
    const name = statement.parameterName(at)
    const value = given.get(name.toLowerCase())
    if (value === undefined) throw unknownParameter(name, [...given.keys()])
    values[name] = boundValue(value)
    types[name] = boundType(value)
  }
  const named = new Set(Object.keys(values).map((name) => name.toLowerCase()))
  const surplus = [...given.keys()].find((name) => !named.has(name))
  if (surplus !== undefined && !isOffer) {
    throw new DataError('sql_error', `The SQL does not name the parameter $${surplus}; within a text it is none.`)
  }
  statement.bind(values, types)
}

const isList = (parameters: SqlParameters): parameters is readonly SqlParameter[] => Array.isArray(parameters)

function boundValue(value: SqlParameter): DuckDBValue {
  if (typeof value !== 'object' || value === null) return value
  return 'timestamp' in value ? timestampValue(microsOf(value.timestamp)) : listValue([...value])
}

/** The type of a list has to be told, for one without members has none. */
const boundType = (value: SqlParameter): DuckDBType | undefined => (Array.isArray(value) ? TEXTS : undefined)

const microsOf = (iso: string): bigint => Temporal.Instant.from(iso).epochNanoseconds / 1000n

function unknownParameter(name: string, given: readonly string[]): DataError {
  const known = given.length === 0 ? 'there is none' : `there is ${given.map((one) => `$${one}`).join(', ')}`
  return new DataError('sql_error', `The SQL has a parameter $${name} that has no value; ${known}.`)
}
