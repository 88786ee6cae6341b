import { type DuckDBConnection, VARCHAR } from '@duckdb/node-api'
import { sqlName, sqlText } from '../../../data/relation.ts'
import { type BatchPart, type Origin, type Rejected, ROW } from '../contract/source.ts'
import { tableName } from '../contract/state-table.ts'
import { appendRows } from '../duckdb/append-rows.ts'
import { type Column, columnList } from '../duckdb/columns.ts'
import { shapesOf } from '../records/shapes.ts'
import { type JsonRecord, SQL_TYPES } from '../records/table.ts'

/** A dead letter that is put through again. */
export interface Letter {
  /** JSON of the record. */
  readonly record: string
  readonly origin: Origin | undefined
}

export type LetterPart = BatchPart & { drop(): Promise<void> }

interface Place {
  readonly schema: string
  readonly name: string
}

/**
 * Dead letters as records with the columns that they had when they were refused, or where nobody wrote that down, by the kinds
 * of their values. `cut` are those of which only a part was kept. `spoken` are columns that are NULL where records lack them.
 */
export async function partsOfLetters(
  database: DuckDBConnection,
  place: Place,
  all: readonly Letter[],
  columns: readonly Column[] | undefined,
  spoken: readonly string[]
): Promise<{ parts: LetterPart[]; cut: Rejected[] }> {
  const [whole, cut] = sorted(all)
  if (columns !== undefined) {
    const letters = whole.map(({ letter }) => letter)
    const parts = letters.length === 0 ? [] : [await partOf(database, place, letters, withAll(columns, spoken))]
    return { parts, cut }
  }
  const shapes = shapesOf(
    whole.map(({ record }) => record),
    () => true
  )
  const parts: LetterPart[] = []
  for (const [i, { places, fields }] of shapes.entries()) {
    const letters = places.map((at) => (whole[at] as { letter: Letter }).letter)
    const found = fields.map(({ name, kind }): Column => ({ name, type: SQL_TYPES[kind] }))
    const own = { ...place, name: `${place.name}:${i}` }
    parts.push(await partOf(database, own, letters, withAll(found, spoken)))
  }
  return { parts, cut }
}

function sorted(all: readonly Letter[]): [whole: { letter: Letter; record: JsonRecord }[], cut: Rejected[]] {
  const whole: { letter: Letter; record: JsonRecord }[] = []
  const cut: Rejected[] = []
  for (const letter of all) {
    try {
      whole.push({ letter, record: JSON.parse(letter.record) as JsonRecord })
    } catch {
      cut.push({ code: 'not_a_record', reason: 'Only a part of the record was kept', ...letter })
    }
  }
  return [whole, cut]
}

function withAll(columns: readonly Column[], spoken: readonly string[]): Column[] {
  const there = new Set(columns.map(({ name }) => name.toLowerCase()))
  const missing = new Set(spoken.filter((name) => name !== 'input' && !there.has(name.toLowerCase())))
  return [...columns, ...[...missing].map((name): Column => ({ name, type: '"NULL"' }))]
}

/** The table stays until it is dropped. */
async function partOf(
  database: DuckDBConnection,
  place: Place,
  letters: readonly Letter[],
  columns: readonly Column[]
): Promise<LetterPart> {
  const table = tableName(place.schema, place.name)
  await database.run(`CREATE TABLE ${table} (record VARCHAR)`)
  await appendRows(database, place, [VARCHAR], letters.length, (_, row) => (letters[row] as Letter).record)
  const typed = columns.map((column) => `${fieldAs(column)} AS ${sqlName(column.name)}`)
  const numbered = `SELECT ${[...typed, `rowid AS ${ROW}`].join(', ')} FROM ${table}`
  const list = columnList(columns)
  return {
    sql: `SELECT ${list === '' ? 'NULL AS "nothing"' : list} FROM (${numbered})`,
    numbered,
    rows: letters.length,
    columns,
    isLoose: true,
    originsOf: async (rows) => rows.map((row) => letters[row]?.origin),
    drop: async () => void (await database.run(`DROP TABLE IF EXISTS ${table}`))
  }
}

/** A field of the record in the type that it had, which `to_json` has made a text, a number or more. */
function fieldAs({ name, type }: Column): string {
  const pointer = sqlText(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  if (type === '"NULL"') return 'NULL'
  if (type === 'VARCHAR') return `json_extract_string(record, ${pointer})`
  const json = `json_extract(record, ${pointer})`
  if (type === 'JSON') return `CASE WHEN json_type(${json}) <> 'NULL' THEN ${json} END`
  const isNested = /\]$|^(?:STRUCT|MAP|UNION)\(/.test(type)
  return `TRY_CAST(${isNested ? json : `json_extract_string(record, ${pointer})`} AS ${type})`
}
