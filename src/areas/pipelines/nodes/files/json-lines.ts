import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText } from '../../../../data/relation.ts'
import { withoutTwins } from '../../records/shapes.ts'
import type { JsonRecord } from '../../records/table.ts'
import { MAX_TEXT_BYTES } from './clean.ts'
import { SUSPECT_LINE } from './json-signs.ts'
import { Notes } from './notes.ts'
import { FileWindow } from './window.ts'

export interface LinesText {
  readonly path: string
  /** Options of DuckDB for reading it. */
  readonly options: string
  /** Elements of an array are called records in messages, not lines. */
  readonly isArray: boolean
}

/**
 * Writes the lines of a text that are JSON objects to another one, and notes all others: `{record, code, text}`. Of two fields
 * with one name the last counts, as everywhere else.
 */
export async function sortLines(
  database: DuckDBConnection,
  { path, options }: LinesText,
  to: string,
  signal: AbortSignal
): Promise<Notes> {
  const window = await FileWindow.open(path)
  const out = await open(to, 'w')
  const notes = await Notes.open(`${to}.notes`)
  try {
    const odd = oddLines(database, path, options)
    let next = await odd.next()
    let record = 1
    for (let at = 0; ; ) {
      await window.advance(at)
      signal.throwIfAborted()
      const { text, isAll } = window
      const pieces: Buffer[] = []
      let from = 0
      at = 0
      while (at < text.length) {
        const end = text.indexOf(10, at)
        if (end === -1 && !isAll) break
        const stop = end === -1 ? text.length : end + 1
        if (next.value?.record === record) {
          const line = text.subarray(at, end === -1 ? stop : end)
          const kept = next.value.isJson ? asObject(line) : undefined
          pieces.push(text.subarray(from, at), kept === undefined ? NOTHING : Buffer.from(`${kept}\n`))
          if (kept === undefined) notes.add(noteOf(record, line))
          from = stop
          next = await odd.next()
        }
        record += 1
        at = stop
      }
      pieces.push(text.subarray(from, at))
      await out.appendFile(Buffer.concat(pieces))
      await notes.flush()
      if (at === text.length && isAll) return notes
    }
  } finally {
    await Promise.all([window.close(), out.close(), notes.close()])
  }
}

function noteOf(record: number, line: Buffer) {
  const code = isUtf8(line) ? 'not_json' : 'unreadable_line'
  return { record, code, text: line.subarray(0, MAX_TEXT_BYTES).toString() }
}

/** How many odd lines are asked for in one statement. */
const MAX_ODD_LINES = 10_000
const NOTHING = Buffer.alloc(0)

/** The line with names that SQL can tell apart; undefined where it is no JSON after all. */
function asObject(line: Buffer): string | undefined {
  try {
    // Numbers stay as they are written, however many digits they have.
    const record = parse(line.toString(), (_, value, { source }) => {
      return typeof value === 'number' ? rawJSON(source as string) : value
    })
    return JSON.stringify(withoutTwins(record))
  } catch {
    return undefined
  }
}

/** As TypeScript does not know them yet. */
const { parse, rawJSON } = JSON as unknown as {
  parse(
    text: string,
    revive: (name: string, value: unknown, context: { readonly source?: string }) => unknown
  ): JsonRecord
  rawJSON(text: string): unknown
}

interface OddLine {
  readonly record: number
  readonly isJson: boolean
}

/**
 * Lines that are no JSON objects, may be none, or have a name twice or none, in their order. Noted in a table first: an answer
 * that is read bit by bit would end with the next statement, and records of the object before ask for their lines meanwhile.
 */
async function* oddLines(
  database: DuckDBConnection,
  path: string,
  options: string
): AsyncGenerator<OddLine, undefined> {
  const names = `list_transform(json_keys(json), lambda name: lower(name))`
  await database.run(
    `CREATE OR REPLACE TEMP TABLE odd_lines AS SELECT record, isJson FROM (SELECT row_number() OVER () AS record, json, coalesce(json_type(json) = 'OBJECT', false) AS isJson FROM read_json_objects(${sqlText(path)}, ${options}, ignore_errors = true))
     WHERE NOT isJson OR regexp_matches(json::VARCHAR, ${SUSPECT_LINE}) OR len(${names}) <> len(list_distinct(${names})) OR list_contains(${names}, '')`
  )
  for (let from = 0; ; from += MAX_ODD_LINES) {
    const answer = await database.runAndReadAll(
      `SELECT record, isJson FROM odd_lines WHERE rowid >= ${from} AND rowid < ${from + MAX_ODD_LINES} ORDER BY record`
    )
    for (const [record, isJson] of answer.getRows()) yield { record: Number(record), isJson: isJson === true }
    if (answer.currentRowCount < MAX_ODD_LINES) break
  }
  await database.run('DROP TABLE odd_lines')
  return undefined
}
