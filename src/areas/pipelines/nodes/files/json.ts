import { rm } from 'node:fs/promises'
import { sqlName, sqlText } from '../../../../data/relation.ts'
import { toFault } from '../../contract/faults.ts'
import { MAX_RECORD_CHARS } from '../../contract/source.ts'
import { clean, MAX_RECORD_BYTES } from './clean.ts'
import { splitElements } from './elements.ts'
import { type LinesText, sortLines } from './json-lines.ts'
import { findKinds, type Kinds } from './kinds.ts'
import type { Notes } from './notes.ts'
import { makeGaps, makeShifts } from './places.ts'
import { makeRejects, noteWrong } from './rejects.ts'
import { survey } from './survey.ts'
import { type Converted, copy, groupRowsOf, LONG_LINE_BYTES, type Work } from './work.ts'

const MAX_FIELDS = 2000

/** Lines of JSON, and what is known of where they were in the object. */
interface Lines extends LinesText {
  readonly rowsInGroup: number
  readonly shifts: Notes | undefined
  readonly refused: Notes | undefined
  /** Whether each line has to be looked at. */
  readonly isSuspect: boolean
}

/** Makes a Parquet file of JSON or NDJSON. A value keeps its own kind, whatever those of other records are. */
export async function convertJson(work: Work): Promise<Converted> {
  const made: string[] = []
  const lines = await linesOf(work, made)
  let text: LinesText = lines
  let bad: Notes | undefined
  try {
    const whole = lines.isSuspect ? undefined : await convertWhole(work, lines)
    if (whole === undefined) {
      const path = `${work.path}.good`
      made.push(path, `${path}.notes`)
      bad = await sortLines(work.database, lines, path, work.signal)
      text = { ...lines, path }
    }
    const kinds = whole ?? (await convertLines(work, lines, text))
    const isPlain = bad === undefined && lines.shifts === undefined && kinds.told.length === 0
    if (!isPlain) await noteRejects(work, lines, bad, kinds)
    return {
      columns: kinds.columns,
      plus: 1,
      hasTables: !isPlain,
      explain: ({ field, text: record, got }) => {
        return {
          field,
          expected: kinds.told.find(({ name }) => name === field)?.type ?? '',
          got,
          record,
          columns: kinds.told
        }
      },
      ...(kinds.mixed.length > 0 && { mixed: kinds.mixed }),
      hasWrong: kinds.told.length > 0,
      absent: kinds.absent,
      rowsInGroup: lines.rowsInGroup,
      found: work.types
    }
  } finally {
    for (const path of made) await rm(path, { force: true })
  }
}

async function linesOf(work: Work, made: string[]): Promise<Lines> {
  const { path, signal } = work
  const isArray = work.format === 'json'
  made.push(`${path}.lines`, `${path}.clean`, `${path}.shifts`, `${path}.refused`)
  const split = isArray ? await splitElements(path, signal) : undefined
  const from = split?.path ?? path
  const seen = await survey(from, { quote: '', isJson: true }, signal)
  const isLong = seen.longestBytes > LONG_LINE_BYTES
  const cleaned =
    seen.isPlain && !isLong
      ? undefined
      : await clean(from, { quote: undefined, delimiter: NOTHING, keepsEmpty: false }, signal)
  if (cleaned !== undefined) made.push(`${from}.clean`, cleaned.shifts.path, cleaned.refused.path)
  // DuckDB takes memory by the size of the largest.
  const options = `format = 'newline_delimited', compression = 'uncompressed', maximum_object_size = ${isLong ? Math.min(seen.longestBytes, MAX_RECORD_BYTES) + 1024 : USUAL_BYTES}`
  // What was split into lines has none that are empty or too long.
  const notes = split ?? cleaned
  const isNoted = notes !== undefined && notes.shifts.count + notes.refused.count > 0
  return {
    path: cleaned?.path ?? from,
    options,
    isArray,
    rowsInGroup: seen.rowsInGroup,
    isSuspect: seen.isSuspect,
    shifts: isNoted ? notes.shifts : undefined,
    refused: isNoted ? notes.refused : undefined
  }
}

const NOTHING = Buffer.alloc(0)
const USUAL_BYTES = 16 << 20

/** Undefined where lines have to be sorted first: some of them are no records, or have names that SQL can't tell apart. */
async function convertWhole(work: Work, lines: Lines): Promise<Kinds | undefined> {
  try {
    const kinds = await convertLines(work, lines, lines)
    return (await hasRenamed(work, kinds)) ? undefined : kinds
  } catch (error) {
    if (toFault(error).kind !== 'records') throw error
    return undefined
  }
}

/** Whether DuckDB has made a name up for a field, `A_1` where there is an `a` already, and then not found it. */
async function hasRenamed({ database, to }: Work, { columns }: Kinds): Promise<boolean> {
  const there = new Set<string | undefined>(columns.map(({ name }) => name.toLowerCase()))
  const suspects = columns.filter(({ name }) => /^C\d+$/.test(name) || there.has(numberless(name)))
  if (suspects.length === 0) return false
  const counts = suspects.map(({ name }) => `count(${sqlName(name)})`).join(', ')
  const answer = await database.runAndReadAll(`SELECT least(${counts}, 1) FROM read_parquet(${sqlText(to)})`)
  return Number(answer.value(0, 0)) === 0
}

const numberless = (name: string): string | undefined => /^(.*)_\d+$/s.exec(name.toLowerCase())?.[1]

/** Makes the Parquet file, where all are records. */
async function convertLines(work: Work, lines: Lines, text: LinesText): Promise<Kinds> {
  const kinds = await findKinds(work, text, MAX_FIELDS)
  const select = `SELECT ${kinds.list} FROM read_json(${sqlText(text.path)}, ${text.options}, records = true, columns = {${kinds.read}})`
  await work.database.run(copy(select, work.to, groupRowsOf(lines.rowsInGroup)))
  return kinds
}

/** Fills the tables that tell where rows were, and what was no record. */
async function noteRejects(work: Work, lines: Lines, bad: Notes | undefined, { told }: Kinds): Promise<void> {
  const { database, table } = work
  const noun = lines.isArray ? 'Record' : 'Line'
  const noted =
    bad === undefined || bad.count === 0
      ? undefined
      : `read_json(${sqlText(bad.path)}, format = 'newline_delimited', columns = {'record': 'BIGINT', 'code': 'VARCHAR', 'text': 'VARCHAR'})`
  await makeShifts(database, table('shifts'), lines.shifts)
  await makeGaps(
    database,
    table('gaps'),
    noted === undefined ? 'SELECT 0::BIGINT AS record WHERE false' : `SELECT record FROM ${noted}`,
    1
  )
  await makeRejects(database, table('rejects'), lines.refused)
  if (noted !== undefined) {
    await database.run(
      `INSERT INTO ${table('rejects')} SELECT n.record + s.shift, code, '${noun} ' || (n.record + s.shift) || CASE code WHEN 'not_json' THEN ' is no JSON object' ELSE ' is not UTF-8' END, '', text[:${MAX_RECORD_CHARS}], ''
       FROM ${noted} n ASOF JOIN ${table('shifts')} s ON n.record >= s.record`
    )
  }
  if (told.length > 0) await noteWrong(work)
}
