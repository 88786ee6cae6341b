import type { DataColumn } from '../../../data/sql-process/messages.ts'
import { Columns, kindOf } from './columns.ts'
import type { Judgement } from './judge.ts'

interface PropertySchema {
  readonly type?: string | readonly string[]
}

interface RecordSchema {
  readonly properties?: Readonly<Record<string, PropertySchema | boolean>>
  readonly required?: readonly string[]
  readonly additionalProperties?: unknown
}

const isList = (type: string): boolean => type.endsWith(']')
const isRecord = (type: string): boolean => !isList(type) && /^(?:STRUCT|MAP)\(/.test(type)
/** A number with digits after the point is no whole one. */
const isWhole = (type: string): boolean => kindOf(type) === 'whole' && !/,[1-9]\d*\)$/.test(type)

/** The columns that hold values of a type of JSON Schema, by their types. Times and the like are texts there. */
const HOLDING: Readonly<Record<string, (type: string) => boolean>> = {
  integer: isWhole,
  number: (type) => ['whole', 'float'].includes(kindOf(type)),
  string: (type) => ['text', 'time', 'other'].includes(kindOf(type)) && !isList(type) && !isRecord(type),
  boolean: (type) => kindOf(type) === 'boolean',
  array: isList,
  object: isRecord
}

const MAX_NAMED = 10

/** Whether the columns are those that a schema of records describes. Values are not looked at. */
export function matchSchema(schema: object, columns: readonly DataColumn[]): Judgement {
  const faults = faultsOf(schema as RecordSchema, new Columns(columns))
  const more = faults.length > MAX_NAMED ? ` and ${faults.length - MAX_NAMED} more` : ''
  return {
    status: faults.length === 0 ? 'passed' : 'failed',
    measured: faults.length,
    threshold: 0,
    unit: 'columns',
    rowsChecked: 0,
    rowsFailed: 0,
    reason:
      faults.length === 0
        ? null
        : { code: 'columns_differ', message: `${faults.slice(0, MAX_NAMED).join('; ')}${more}.` }
  }
}

function faultsOf({ properties = {}, required = [], additionalProperties }: RecordSchema, columns: Columns): string[] {
  const missing = required.filter((name) => columns.find(name) === undefined)
  const strange = Object.entries(properties).flatMap(([name, property]) => {
    const column = columns.find(name)
    if (column === undefined || holds(column, property)) return []
    return [`${name} is ${column.type} where the schema says ${typesOf(property).join(' or ')}`]
  })
  const known = new Set(Object.keys(properties).map((name) => name.toLowerCase()))
  const extra = columns.all.filter(({ name }) => additionalProperties === false && !known.has(name.toLowerCase()))
  return [
    ...missing.map((name) => `${name} is required and not there`),
    ...strange,
    ...extra.map(({ name }) => `${name} is not in the schema`)
  ]
}

const typesOf = (property: PropertySchema | boolean): string[] =>
  typeof property === 'boolean' || property.type === undefined ? [] : [property.type].flat()

/** A column says nothing of whether there are nulls in it; what the schema or a column of JSON leaves open fits. */
function holds({ type }: DataColumn, property: PropertySchema | boolean): boolean {
  if (property === false) return false
  const types = typesOf(property).filter((one) => one !== 'null')
  return types.length === 0 || type === 'JSON' || types.some((one) => HOLDING[one]?.(type) ?? true)
}
