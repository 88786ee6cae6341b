import { sqlName, sqlText } from '../../../../data/relation.ts'
import { type Column, columnsOf } from '../../duckdb/columns.ts'
import { firstRow } from '../../duckdb/database.ts'
import { fits, readAs } from '../../records/told-columns.ts'
import type { LinesText } from './json-lines.ts'
import { heldInFile, type Kind, type MixedColumn, requireFreeNames, type Work } from './work.ts'

/** How the fields of JSON become columns. */
export interface Kinds {
  /** With the types of most records; mixed ones of each kind are made of their JSON when they are read. */
  readonly columns: readonly Column[]
  /** Columns for `read_json`. */
  readonly read: string
  /** What is selected of these. */
  readonly list: string
  readonly mixed: readonly MixedColumn[]
  readonly told: readonly Column[]
  /** Columns that the configuration tells and that no record has. */
  readonly absent: readonly string[]
}

export const JSON_TYPES: Readonly<Record<Kind, string>> = { n: 'DOUBLE', t: 'VARCHAR', b: 'BOOLEAN', j: 'JSON' }
const ORDER: readonly Kind[] = ['n', 't', 'b', 'j']

/** Looks at all records for the kinds of their fields. */
export async function findKinds(work: Work, text: LinesText, maxFields: number): Promise<Kinds> {
  const { database, config } = work
  const file = sqlText(text.path)
  const found = await columnsOf(
    database,
    `SELECT * FROM read_json(${file}, ${text.options}, sample_size = -1, maximum_depth = 2, map_inference_threshold = -1, field_appearance_threshold = 0)`
  )
  if (found.length > maxFields) throw new Error(`its records have more than ${maxFields} different fields`)
  requireFreeNames(found)
  const told = Object.entries(config.columns ?? {}).map(([name, type]) => ({ name, type }))
  const there = new Set(found.map(({ name }) => name.toLowerCase()))
  const toldNames = new Set(told.map(({ name }) => name.toLowerCase()))
  const untold = found.filter(({ name }) => !toldNames.has(name.toLowerCase()))
  const unsure = untold.filter(({ type }) => type === 'JSON').map(({ name }) => name)
  const counted = unsure.length === 0 ? new Map<string, Kind[]>() : await countKinds(work, text, unsure)
  const mixed: MixedColumn[] = []
  const columns = untold.map(({ name, type }): Column => {
    const [main, ...others] = counted.get(name) ?? []
    if (type !== 'JSON') return { name, type: typeOf(type) }
    if (main === undefined) return { name, type: '"NULL"' }
    if (others.length > 0) mixed.push({ name, main })
    return { name, type: JSON_TYPES[main] }
  })
  return {
    columns: [...columns, ...told],
    read: readList(columns, mixed, told),
    list: selectList(columns, mixed, told),
    mixed,
    told,
    absent: told.map(({ name }) => name).filter((name) => !there.has(name.toLowerCase()))
  }
}

function typeOf(found: string): string {
  if (/^(?:U?BIGINT|U?HUGEINT|INTEGER|DOUBLE)$/.test(found)) return 'DOUBLE'
  if (found === 'BOOLEAN') return found
  return found.startsWith('STRUCT') || found.startsWith('MAP') || found.endsWith('[]') ? 'JSON' : 'VARCHAR'
}

/** The kind of a value that is read as JSON. */
const kindOf = (column: string): string =>
  `CASE json_type(${column}) WHEN 'VARCHAR' THEN 't' WHEN 'BOOLEAN' THEN 'b' WHEN 'OBJECT' THEN 'j' WHEN 'ARRAY' THEN 'j' WHEN 'NULL' THEN NULL ELSE CASE WHEN ${column} IS NOT NULL THEN 'n' END END`

/** The kinds of each column, the most frequent one first. */
async function countKinds({ database }: Work, text: LinesText, names: readonly string[]): Promise<Map<string, Kind[]>> {
  const read = names.map((name) => `${sqlText(name)}: 'JSON'`).join(', ')
  const counts = names.flatMap((name, i) =>
    ORDER.map((kind) => `count(*) FILTER (${kindOf(sqlName(name))} = '${kind}') AS ${kind}${i}`)
  )
  const row = await firstRow(
    database,
    `SELECT ${counts.join(', ')} FROM read_json(${sqlText(text.path)}, ${text.options}, records = true, columns = {${read}})`
  )
  return new Map(
    names.map((name, i) => {
      const count = (kind: Kind) => Number(row?.[`${kind}${i}`] ?? 0)
      return [name, ORDER.filter((kind) => count(kind) > 0).sort((a, b) => count(b) - count(a))]
    })
  )
}

function readList(columns: readonly Column[], mixed: readonly MixedColumn[], told: readonly Column[]): string {
  const raw = new Set(mixed.map(({ name }) => name))
  const typed = columns.map(
    ({ name, type }) => `${sqlText(name)}: '${raw.has(name) || type === '"NULL"' ? 'JSON' : type}'`
  )
  return [...typed, ...told.map(({ name }) => `${sqlText(name)}: 'JSON'`)].join(', ')
}

/** Told types are cast to; a record with a value that can't be is marked, and kept with what it was. */
function selectList(columns: readonly Column[], mixed: readonly MixedColumn[], told: readonly Column[]): string {
  const list = columns.map(({ name }) => sqlName(name))
  for (const { name, type } of told) {
    const value = type === 'JSON' ? sqlName(name) : heldInFile(readAs(textOf(name), type), type)
    list.push(`${value} AS ${sqlName(name)}`)
  }
  if (mixed.length > 0) {
    const parts = mixed.map(
      ({ name, main }, i) =>
        `CASE WHEN ${kindOf(sqlName(name))} <> '${main}' THEN '${i}' || ${kindOf(sqlName(name))} || ' ' ELSE '' END`
    )
    list.push(`${parts.join(' || ')} AS "millrace:kinds"`)
  }
  if (told.length > 0) {
    const record = [...columns, ...told].map(({ name }) => `${sqlText(name)}, ${sqlName(name)}`).join(', ')
    const whens = told
      .filter(({ type }) => type !== 'JSON' && type !== 'VARCHAR')
      .map(({ name, type }) => {
        return `WHEN NOT ${fits(textOf(name), type)} THEN json_object('field', ${sqlText(name)}, 'got', ${sqlName(name)}::VARCHAR, 'record', json_object(${record})::VARCHAR)::VARCHAR`
      })
    list.push(`${whens.length === 0 ? 'NULL::VARCHAR' : `CASE ${whens.join(' ')} END`} AS "millrace:wrong"`)
  }
  return list.join(', ')
}

const textOf = (name: string): string => `(${sqlName(name)}->>'$')`

/** A mixed column as a column of one kind. */
export function ofKind(name: string, kind: Kind): string {
  if (kind === 'j') return sqlName(name)
  return `TRY_CAST((${sqlName(name)}->>'$') AS ${JSON_TYPES[kind]}) AS ${sqlName(name)}`
}
