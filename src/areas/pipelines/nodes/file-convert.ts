import { rm } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText } from '../../../data/relation.ts'
import { columnsOf, runCounted, toFault } from '../host/node-tools.ts'

export interface Conversion {
  readonly format: 'csv' | 'tsv' | 'json' | 'ndjson' | 'parquet'
  readonly isGzip: boolean
  readonly from: string
  /** The Parquet file to be made. */
  readonly to: string
  /** The table to be made of what is no record, with the columns line, code, reason and record. */
  readonly rejects: string
}

const MAX_FIELDS = 2000
const MAX_LINE_BYTES = 16 << 20

/**
 * Makes a Parquet file of an object of another form, the same one each time, and answers how many lines of it are no records.
 * Nothing of it is held in memory but what DuckDB needs for it.
 */
export async function convert(database: DuckDBConnection, conversion: Conversion): Promise<number> {
  const { format, from, isGzip } = conversion
  if (format === 'csv' || format === 'tsv') return convertCsv(database, conversion)
  const compression = isGzip ? 'gzip' : 'uncompressed'
  if (format === 'json') {
    await convertJson(
      database,
      { path: from, options: `format = 'auto', compression = '${compression}'` },
      conversion.to
    )
    return 0
  }
  const lines = `format = 'newline_delimited', maximum_object_size = ${MAX_LINE_BYTES}`
  try {
    await convertJson(database, { path: from, options: `${lines}, compression = '${compression}'` }, conversion.to)
    return 0
  } catch (error) {
    if (toFault(error).kind !== 'records') throw error
  }
  const clean = `${from}.clean`
  try {
    const count = await sortLines(database, conversion, clean)
    await convertJson(database, { path: clean, options: `${lines}, compression = 'uncompressed'` }, conversion.to)
    return count
  } finally {
    await rm(clean, { force: true })
  }
}

/** Whole numbers become DOUBLE, so that a column does not change its type from object to object. */
async function convertCsv(database: DuckDBConnection, { format, isGzip, from, to, rejects }: Conversion) {
  const read = (types: string) =>
    `SELECT * FROM read_csv(${sqlText(from)}, compression = '${isGzip ? 'gzip' : 'uncompressed'}'${format === 'tsv' ? ", delim = '\t'" : ''}, store_rejects = true, rejects_table = 'file_rejects', rejects_scan = 'file_scans'${types})`
  const columns = await columnsOf(database, read(''))
  const whole = columns.filter(({ type }) => WHOLE.has(type))
  const types = whole.map(({ name }) => `${sqlText(name)}: 'DOUBLE'`).join(', ')
  await dropRejects(database)
  try {
    await database.run(copy(read(whole.length === 0 ? '' : `, types = {${types}}`), to))
    return await runCounted(
      database,
      `CREATE OR REPLACE TABLE ${rejects} AS SELECT line, 'unreadable_line' AS code, 'Line ' || line || ': ' || first(error_message ORDER BY column_idx) AS reason, first(csv_line) AS record FROM file_rejects GROUP BY line`
    )
  } finally {
    await dropRejects(database)
  }
}

const WHOLE = new Set(['BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT', 'INTEGER'])

async function dropRejects(database: DuckDBConnection): Promise<void> {
  await database.run('DROP TABLE IF EXISTS file_rejects')
  await database.run('DROP TABLE IF EXISTS file_scans')
}

/** All records are looked at for the types of fields: numbers DOUBLE, objects and arrays JSON, everything mixed a text. */
async function convertJson(database: DuckDBConnection, json: { path: string; options: string }, to: string) {
  const file = sqlText(json.path)
  const found = await columnsOf(
    database,
    `SELECT * FROM read_json(${file}, ${json.options}, sample_size = -1, maximum_depth = 2, map_inference_threshold = -1, field_appearance_threshold = 0)`
  )
  if (found.length > MAX_FIELDS) throw new Error(`its records have more than ${MAX_FIELDS} different fields`)
  const columns = found.map(({ name, type }) => `${sqlText(name)}: '${jsonType(type)}'`).join(', ')
  await database.run(copy(`SELECT * FROM read_json(${file}, ${json.options}, columns = {${columns}})`, to))
}

function jsonType(found: string): string {
  if (WHOLE.has(found) || found === 'DOUBLE') return 'DOUBLE'
  if (found === 'BOOLEAN') return found
  return found.startsWith('STRUCT') || found.startsWith('MAP') || found.endsWith('[]') ? 'JSON' : 'VARCHAR'
}

/** Lines that are JSON objects go to a file of their own, all others into the table. */
async function sortLines(database: DuckDBConnection, { from, isGzip, rejects }: Conversion, clean: string) {
  const path = `${from}.lines`
  await dropRejects(database)
  try {
    const lines = `SELECT row_number() OVER () AS row, line, coalesce(json_type(CASE WHEN json_valid(line) THEN line END) = 'OBJECT', false) AS good
      FROM read_csv(${sqlText(from)}, columns = {'line': 'VARCHAR'}, delim = '', quote = '', escape = '', header = false, auto_detect = false, strict_mode = false, compression = '${isGzip ? 'gzip' : 'uncompressed'}', max_line_size = ${MAX_LINE_BYTES}, store_rejects = true, rejects_table = 'file_rejects', rejects_scan = 'file_scans')`
    await database.run(copy(lines, path))
    const sorted = `read_parquet(${sqlText(path)})`
    // Neither of the two characters is in any JSON, so that nothing is ever quoted.
    await database.run(
      `COPY (SELECT line FROM ${sorted} WHERE good) TO ${sqlText(clean)} (FORMAT csv, HEADER false, DELIMITER '\x01', QUOTE '\x02', ESCAPE '\x02')`
    )
    return await runCounted(database, `CREATE OR REPLACE TABLE ${rejects} AS ${rejectedLines(sorted)}`)
  } finally {
    await rm(path, { force: true })
    await dropRejects(database)
  }
}

/** Lines that could not even be read have no row; those after them are counted on by so many. */
function rejectedLines(lines: string): string {
  return `WITH
    unread AS (SELECT line, first(csv_line) AS record, first(error_message) AS message, row_number() OVER (ORDER BY line) AS nth FROM file_rejects GROUP BY line),
    shifts AS (SELECT line - nth AS before, max(nth) AS nth FROM unread GROUP BY before),
    bad AS (SELECT row, line FROM ${lines} WHERE NOT good AND trim(line, E' \\t\\r') <> ''),
    placed AS (SELECT bad.row + coalesce(shifts.nth, 0) AS line, bad.line AS record FROM bad ASOF LEFT JOIN shifts ON bad.row > shifts.before)
    SELECT line, 'not_json' AS code, 'Line ' || line || ' is no JSON object' AS reason, record FROM placed
    UNION ALL SELECT line, 'unreadable_line', 'Line ' || line || ': ' || message, record FROM unread`
}

const copy = (select: string, to: string): string =>
  `COPY (${select}) TO ${sqlText(to)} (FORMAT parquet, COMPRESSION lz4_raw)`
