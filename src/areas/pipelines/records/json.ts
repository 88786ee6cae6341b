import { sqlName, sqlText } from '../../../data/relation.ts'
import type { Flow } from '../contract/steps.ts'
import type { Column } from '../duckdb/columns.ts'

/** Records as JSON, one a row in the column `record`. */
export function recordJson(flow: Pick<Flow, 'sql' | 'columns'>): string {
  if (!flow.columns.some((column) => isUncertain(column) || isFraction(column)))
    return `SELECT to_json(r)::VARCHAR AS record FROM (${withIsoTimes(flow)}) r`
  return `SELECT ${jsonText(flow.columns)} AS record FROM (${flow.sql})`
}

const isUncertain = ({ isOptional }: Column): boolean => isOptional === true

/** SQL of a record as the text of JSON, without fields that only other records have. */
export function jsonText(columns: readonly Column[]): string {
  const fields = columns.map((column) => {
    const name = sqlText(`${JSON.stringify(column.name)}:`)
    const text = `${jsonValue(column)}::VARCHAR`
    return isUncertain(column) ? `${name} || ${text}` : `${name} || coalesce(${text}, 'null')`
  })
  // What is NULL is left out.
  return `'{' || concat_ws(',', ${fields.join(', ')}) || '}'`
}

/** SQL of a value as JSON, which knows no number that is infinite or none: those are texts. */
function jsonValue(column: Column): string {
  const value = isoText(sqlName(column.name), column.type, 0)
  if (!isFraction(column)) return `to_json(${value})`
  return `CASE WHEN isfinite(${value}) THEN to_json(${value}) ELSE to_json(${value}::VARCHAR) END`
}

const isFraction = ({ type }: Column): boolean => type === 'DOUBLE' || type === 'FLOAT'

/** The same records with times as texts in ISO 8601: `2026-03-09T13:00:00Z`, where SQL writes a blank and no zone. */
export function withIsoTimes({ sql, columns }: Pick<Flow, 'sql' | 'columns'>): string {
  if (columns.every(({ type }) => !hasTimes(type))) return sql
  return `SELECT ${columns.map(isoColumn).join(', ')} FROM (${sql})`
}

/** A column in the list of a SELECT, with times as texts. */
export const isoColumn = ({ name, type }: Column): string =>
  hasTimes(type) ? `${isoText(sqlName(name), type, 0)} AS ${sqlName(name)}` : sqlName(name)

const hasTimes = (type: string): boolean => type.includes('TIMESTAMP')

/** Times within lists and structs too; those in maps stay as SQL writes them. */
function isoText(value: string, type: string, depth: number): string {
  if (!hasTimes(type)) return value
  if (type.endsWith('[]')) {
    const item = `item_${depth}`
    return `list_transform(${value}, lambda ${item}: ${isoText(item, type.slice(0, -2), depth + 1)})`
  }
  if (type.startsWith('STRUCT(') && type.endsWith(')')) {
    const fields = fieldsOf(type.slice('STRUCT('.length, -1))
    const packed = fields.map(({ name, type: of }) => `${name} := ${isoText(`${value}.${name}`, of, depth)}`)
    return `CASE WHEN ${value} IS NULL THEN NULL ELSE struct_pack(${packed.join(', ')}) END`
  }
  if (!type.startsWith('TIMESTAMP')) return value
  // The session is in UTC. What is no date and time of day, such as infinity, stays as it is.
  const plain = type === 'TIMESTAMP WITH TIME ZONE' || type === 'TIMESTAMPTZ' ? `${value}::TIMESTAMP` : value
  return `regexp_replace(${plain}::VARCHAR, '^(\\S+) (\\d\\d:\\S+)$', '\\1T\\2Z')`
}

/** `a TIMESTAMP, "b c" STRUCT(d DOUBLE, e VARCHAR)` divided at the outer commas; names as they are written there. */
function fieldsOf(list: string): Column[] {
  const parts: string[] = ['']
  let depth = 0
  for (const [piece] of list.matchAll(/"(?:[^"]|"")*"|[^"]/g)) {
    if (piece === '(') depth += 1
    if (piece === ')') depth -= 1
    if (piece === ',' && depth === 0) parts.push('')
    else parts.push(`${parts.pop()}${piece}`)
  }
  return parts.map((part) => {
    const [, name = '', type = ''] = /^\s*("(?:[^"]|"")*"|[^\s"]+) (.+)$/s.exec(part) ?? []
    return { name, type }
  })
}
