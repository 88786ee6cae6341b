import { rm } from 'node:fs/promises'
import { sqlName, sqlText } from '../../../../data/relation.ts'
import { MAX_RECORD_CHARS } from '../../contract/source.ts'
import { runCounted } from '../../duckdb/database.ts'
import { WRONG_TYPE } from '../../records/column-types.ts'
import { fits, readAs } from '../../records/told-columns.ts'
import { clean } from './clean.ts'
import {
  type Dialect,
  isLong,
  options,
  roomFor,
  type Shape,
  type ShapeColumn,
  shapeOf,
  type Text,
  toldType,
  withTypes
} from './csv-shape.ts'
import { fieldsOf, findDelimiter } from './dialect.ts'
import { exactTypes } from './exact-wholes.ts'
import { expectedOf, isNumber, mayBeOdd, oddIn, readAsTexts } from './odd-values.ts'
import { makeGaps, makeShifts } from './places.ts'
import { type Explain, makeRejects, noteWrong } from './rejects.ts'
import { countLines, type Survey } from './survey.ts'
import { firstBytes } from './text.ts'
import { remember } from './types.ts'
import {
  bySegments,
  type Converted,
  copy,
  groupRowsOf,
  heldInFile,
  LONG_LINE_BYTES,
  type Piece,
  type Work
} from './work.ts'

const SNIFFED_BYTES = 65_536
const REJECTS = `store_rejects = true, rejects_table = 'file_rejects', rejects_scan = 'file_scans'`

/** Makes a Parquet file of CSV. A line that is none, or has a value of a wrong type, costs only itself. */
export async function convertCsv(work: Work, seen: Survey): Promise<Converted> {
  const { database, config } = work
  const quote = config.csv?.quote ?? '"'
  const begin = (await firstBytes(work.path, SNIFFED_BYTES)).toString()
  const delimiter =
    config.csv?.delimiter ?? (work.format === 'tsv' ? '\t' : findDelimiter(begin, quote, config.csv?.decimal))
  const dialect = { delimiter, quote }
  const text = await readable(work, dialect, begin, seen)
  try {
    let shape = await shapeOf(work, dialect, text)
    // Pieces of a text with long lines have few values for their size, and are read with care at once.
    if (isLong(text) || (await mayBeOdd(work, dialect, shape, text))) shape = readAsTexts(shape)
    let hasTables = await copyAll(work, dialect, shape, text)
    const exact = await exactTypes(work, dialect, shape, text)
    if (exact.size > 0) {
      shape = withTypes(shape, exact)
      hasTables = await copyAll(work, dialect, shape, text)
    }
    const hasWrong = textsIn(shape).length > 0
    const formats = shape.formats
    const untold = shape.columns.filter(({ name }) => toldType(config.columns, name) === undefined)
    return {
      columns: shape.columns,
      plus: shape.hasHeader ? 2 : 1,
      hasTables,
      hasWrong,
      explain: explainer(dialect, shape, config.csv?.nulls ?? []),
      rowsInGroup: text.rowsInGroup,
      found: await remember(database, work.types, { path: work.to, columns: untold, formats })
    }
  } finally {
    const { cleaned } = text
    for (const path of cleaned === undefined ? [] : [`${work.path}.clean`, cleaned.shifts.path, cleaned.refused.path]) {
      await rm(path, { force: true })
    }
  }
}

async function readable(work: Work, dialect: Dialect, begin: string, seen: Survey): Promise<Text> {
  if (seen.isPlain && seen.longestBytes <= LONG_LINE_BYTES) return { ...seen, path: work.path, cleaned: undefined }
  const [head = ''] = begin.split('\n', 1)
  const rules = {
    quote: dialect.quote === '' ? -1 : (Buffer.from(dialect.quote)[0] as number),
    delimiter: Buffer.from(dialect.delimiter),
    keepsEmpty: fieldsOf(head, dialect.delimiter, dialect.quote).length === 1
  }
  const cleaned = await clean(work.path, rules, work.signal)
  return { ...seen, path: cleaned.path, sizeBytes: cleaned.sizeBytes, cleaned }
}

/** Answers whether there are tables of what was left out. */
async function copyAll(work: Work, dialect: Dialect, shape: Shape, text: Text): Promise<boolean> {
  const { database, table, to } = work
  const { cleaned } = text
  const groupRows = groupRowsOf(text.rowsInGroup)
  const found = table('found')
  await database.run(
    `CREATE OR REPLACE TABLE ${found} (record BIGINT, code VARCHAR, reason VARCHAR, field VARCHAR, text VARCHAR)`
  )
  try {
    let count = 0
    const one = async (piece: Piece, path: string, room: string) => {
      count += await copyOne(work, { piece, to: path, room, groupRows }, dialect, shape)
    }
    if (!isLong(text) || cleaned === undefined) {
      const { path, sizeBytes } = text
      await one({ byte: 0, record: 1, records: cleaned?.records, path, sizeBytes, isFirst: true }, to, '')
    } else {
      const { records, segments } = cleaned
      await bySegments(work, { ...text, records, segments, groupRows }, (piece, path) =>
        one(piece, path, roomFor(piece.sizeBytes))
      )
    }
    const wrong = textsIn(shape).length === 0 ? 0 : await runCounted(database, `SELECT count(*) FROM (${wrongIn(to)})`)
    if (count + wrong + (cleaned?.shifts.count ?? 0) + (cleaned?.refused.count ?? 0) === 0) return false
    const isShifted = (cleaned?.shifts.count ?? 0) > 0
    await makeShifts(database, table('shifts'), cleaned?.shifts)
    await makeGaps(database, table('gaps'), `SELECT record FROM ${found}`, shape.hasHeader ? 2 : 1)
    await makeRejects(database, table('rejects'), cleaned?.refused)
    await database.run(
      `INSERT INTO ${table('rejects')} SELECT f.record + s.shift, f.code, 'Line ' || (f.record + s.shift) || ': ' || f.reason, f.field, f.text, '' FROM ${found} f ${isShifted ? `ASOF JOIN ${table('shifts')} s ON f.record >= s.record` : `, ${table('shifts')} s`}`
    )
    if (wrong > 0) await noteWrong(work)
    return true
  } finally {
    await database.run(`DROP TABLE IF EXISTS ${found}`)
  }
}

interface OneCopy {
  readonly piece: Piece
  readonly to: string
  readonly room: string
  readonly groupRows: number
}

/** Converts one text, notes what of it is no record, and answers how much that is. */
async function copyOne(
  work: Work,
  { piece, to, room, groupRows }: OneCopy,
  dialect: Dialect,
  shape: Shape
): Promise<number> {
  const { database } = work
  const columns = shape.columns.map(({ name, readAs }) => `${sqlText(name)}: ${sqlText(readAs)}`).join(', ')
  const cast = shape.columns.filter(({ type, readAs }) => type !== readAs)
  const replaced = cast.map(
    (column) => `${heldInFile(readColumn(work, column), column.type)} AS ${sqlName(column.name)}`
  )
  const list = `${replaced.length === 0 ? '*' : `* REPLACE (${replaced.join(', ')})`}${wrongColumn(work, shape)}`
  const header = shape.hasHeader && piece.isFirst
  const select = (parallel: boolean) =>
    `SELECT ${list} FROM read_csv(${sqlText(piece.path)}, auto_detect = false, ${options({ ...work, types: { ...work.types, ...shape.formats } }, dialect)}, header = ${header}, columns = {${columns}}, parallel = ${parallel}, ${REJECTS}${room})`
  const attempt = async (parallel: boolean): Promise<boolean> => {
    await dropFound(work)
    const rows = await runCounted(database, copy(select(parallel), to, groupRows))
    const bad = await runCounted(database, 'SELECT count(DISTINCT line) FROM file_rejects')
    return bad === 0 || rows + bad + (header ? 1 : 0) === (piece.records ?? (await countLines(piece.path, work.signal)))
  }
  try {
    // DuckDB 1.5 loses lines where several threads read a text of which many are rejected.
    if (!(await attempt(true)) && !(await attempt(false))) throw new Error('not all of its lines could be read')
    return await runCounted(
      database,
      `INSERT INTO ${work.table('found')} SELECT line + ${piece.record - 1}, CASE WHEN bool_and(error_type = 'CAST') THEN '${WRONG_TYPE}' ELSE 'unreadable_line' END,
         coalesce(min(error_message) FILTER (error_type <> 'CAST'), ''), min(column_idx)::VARCHAR, first(csv_line)[:${MAX_RECORD_CHARS}] FROM file_rejects GROUP BY line`
    )
  } finally {
    await dropFound(work)
  }
}

async function dropFound({ database }: Work): Promise<void> {
  await database.run('DROP TABLE IF EXISTS file_rejects')
  await database.run('DROP TABLE IF EXISTS file_scans')
}

/** Columns that are read as texts, because DuckDB would not say which are none of their type. */
const textsIn = ({ columns }: Shape) => columns.filter(({ type, readAs }) => readAs === 'VARCHAR' && type !== 'VARCHAR')

/** One more column: what is wrong with a row, as JSON; the field begins with `=`, because it is a name. */
function wrongColumn(work: Work, shape: Shape): string {
  const texts = textsIn(shape)
  if (texts.length === 0) return ''
  const record = `to_json(struct_pack(${shape.columns.map((column) => `${sqlName(column.name)} := ${asWritten(work, shape, column)}`).join(', ')}))::VARCHAR`
  const whens = texts.map((column) => {
    const { name, type } = column
    const value = sqlName(name)
    const text = isNumber(type) ? plainNumber(work, value) : value
    const odd = oddIn(column, text)
    const isWrong = `NOT ${fits(text, type)}${odd === undefined ? '' : ` OR ${odd}`}`
    const note = `json_object('field', ${sqlText(`=${name}`)}, 'got', to_json(${value})::VARCHAR, 'record', ${record})`
    return `WHEN ${isWrong} THEN ${note}::VARCHAR`
  })
  return `, CASE ${whens.join(' ')} END AS "millrace:wrong"`
}

/** SQL of a value as it stands in the text, for a dead letter. */
function asWritten({ config: { csv } }: Work, { formats }: Shape, { name, readAs: held }: ShapeColumn): string {
  const format =
    held === 'DATE'
      ? (csv?.dateFormat ?? formats.dateFormat)
      : held === 'TIMESTAMP'
        ? (csv?.timestampFormat ?? formats.timestampFormat)
        : undefined
  return format === undefined ? sqlName(name) : `strftime(${sqlName(name)}, ${sqlText(format)})`
}

/** SQL of a column that is read as another type than it is to have. */
function readColumn(work: Work, { name, type, readAs: held }: Shape['columns'][number]): string {
  const value = sqlName(name)
  if (held !== 'VARCHAR') return `TRY_CAST(${value} AS ${type})`
  return readAs(isNumber(type) ? plainNumber(work, value) : value, type)
}

/** SQL of the text of a number as SQL writes it; a point that stands for nothing is none of that. */
function plainNumber({ config: { csv } }: Work, value: string): string {
  const digits = csv?.thousands === undefined ? value : `replace(${value}, ${sqlText(csv.thousands)}, '')`
  return csv?.decimal === ',' ? `translate(${digits}, ',.', '.,')` : digits
}

const wrongIn = (path: string): string =>
  `SELECT file_row_number AS row, "millrace:wrong"::JSON AS wrong FROM read_parquet(${sqlText(path)}, file_row_number = true) WHERE "millrace:wrong" IS NOT NULL`

function explainer({ delimiter, quote }: Dialect, { columns }: Shape, nulls: readonly string[]): Explain {
  const nothing = new Set(['', ...nulls])
  return ({ field, text, got }) => {
    if (field.startsWith('=')) {
      const own = columns.find(({ name }) => name === field.slice(1))
      const expected = own === undefined ? '' : expectedOf(own, got)
      return { field: field.slice(1), expected, got, record: text, columns }
    }
    const at = Number(field) - 1
    const fields = fieldsOf(text, delimiter, quote)
    const { name = '', type = '' } = columns[at] ?? {}
    const isWhole = text.length < MAX_RECORD_CHARS && fields.length === columns.length
    const pairs = columns.map((column, i) => [column.name, nothing.has(fields[i] ?? '') ? null : fields[i]])
    const record = isWhole ? JSON.stringify(Object.fromEntries(pairs)).slice(0, MAX_RECORD_CHARS) : text
    return { field: name, expected: type, got: JSON.stringify(fields[at] ?? ''), record, ...(isWhole && { columns }) }
  }
}
