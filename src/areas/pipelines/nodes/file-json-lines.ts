import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText } from '../../../data/relation.ts'
import { MAX_TEXT_BYTES } from './file-clean.ts'
import { Notes } from './file-notes.ts'
import { FileWindow } from './file-window.ts'

export interface LinesText {
  readonly path: string
  /** Options of DuckDB for reading it. */
  readonly options: string
  /** Elements of an array are called records in messages, not lines. */
  readonly isArray: boolean
}

/** Writes the lines of a text that are JSON objects to another one, and notes all others: `{record, code, text}`. */
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
    const bad = badLines(database, path, options)
    let next = await bad.next()
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
        if (next.value === record) {
          pieces.push(text.subarray(from, at))
          notes.add(noteOf(record, text.subarray(at, end === -1 ? stop : end)))
          from = stop
          next = await bad.next()
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

/** The numbers of lines that are no JSON objects, in their order. */
async function* badLines(database: DuckDBConnection, path: string, options: string): AsyncGenerator<number, undefined> {
  const result = await database.stream(
    `SELECT record FROM (SELECT row_number() OVER () AS record, json FROM read_json_objects(${sqlText(path)}, ${options}, ignore_errors = true)) WHERE json IS NULL OR json_type(json) <> 'OBJECT'`
  )
  for await (const rows of result.yieldRows()) for (const [record] of rows) yield Number(record)
  return undefined
}
