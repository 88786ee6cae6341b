import { basename } from 'node:path'
import { DataError } from '../errors.ts'
import { fileFailureOf } from './file-failure.ts'
import type { Failure, RunRequest } from './messages.ts'
import { positionIn } from './sql-position.ts'
import { pathBefore } from './text-files/rewritten.ts'

/** An error of DuckDB as JSON; all values are texts. */
interface DuckDBFailure {
  readonly exception_type: string
  readonly exception_message: string
  readonly position?: string
}

/** Errors that are found before anything is read; they speak of the SQL alone. */
const OF_SQL: ReadonlySet<string> = new Set(['Parser', 'Binder', 'Catalog', 'Permission'])
const UNTOLD = 'The data could not be read; what went wrong is not told, because some of them are masked for you.'

/** An error as it is shown to the author of the SQL. */
export function failureOf(error: unknown, request: RunRequest): Failure {
  if (error instanceof DataError) {
    const { code, message, position, column } = error
    return { code, message, ...(position && { position }), ...(column !== undefined && { column }) }
  }
  const told = parse(String(error instanceof Error ? error.message : error))
  if (told.exception_type === 'Out of Memory') return outOfMemory(request)
  const inFile = fileFailureOf(told.exception_message, (path) => nameOf(path, request))
  if (inFile !== undefined) {
    const { message, isOfColumn, column } = inFile
    return { code: isOfColumn ? 'sql_error' : 'data_unreadable', message, ...(column !== undefined && { column }) }
  }
  const code = told.exception_type === 'Permission' ? 'sql_refused' : 'sql_error'
  // An error while data are read may quote them as they are.
  const isTold = OF_SQL.has(told.exception_type) || request.relations.every(({ mask }) => mask === undefined)
  const message = isTold ? withoutPaths(told.exception_message, request) : UNTOLD
  const unit = told.exception_type === 'Parser' ? 'characters' : 'bytes'
  const position = positionIn(request.sql, Number(told.position ?? Number.NaN), unit)
  return position === undefined ? { code, message } : { code, message, position }
}

/** The error for a relation whose data can't be read; the SQL itself was not looked at yet. */
export function unreadable(error: unknown, alias: string, request: RunRequest): DataError {
  const { code, message, column } = failureOf(error, request)
  if (code === 'out_of_memory' || code === 'data_unreadable') return new DataError(code, message)
  if (column !== undefined) return new DataError('data_unreadable', message, { column })
  return new DataError('data_unreadable', `What ${alias} stands for can't be read: ${message}`)
}

export function outOfMemory({ limits }: RunRequest): Failure {
  const mib = Math.round(limits.memoryBytes / 1024 / 1024)
  return {
    code: 'out_of_memory',
    message: `The query needs more than the ${mib} MiB of memory it may use. Filter earlier, name fewer columns, or sort and group less at once.`
  }
}

/** Some errors have words before the JSON, and those of the client library have no JSON. */
function parse(text: string): DuckDBFailure {
  const start = text.indexOf('{"exception_type"')
  if (start >= 0) {
    try {
      return JSON.parse(text.slice(start)) as DuckDBFailure
    } catch {
      // JSON that was cut off is shown as it is.
    }
  }
  return { exception_type: '', exception_message: text }
}

/** What people call the data that a file of the query is a copy of. */
function nameOf(path: string, { relations }: RunRequest): string {
  for (const { files, names } of relations) {
    const name = names?.[files.indexOf(pathBefore(path))]
    if (name !== undefined) return name
  }
  return basename(path)
}

function withoutPaths(message: string, { relations, folder }: RunRequest): string {
  let shown = message
  for (const { alias, files, names = [] } of relations) {
    for (const [at, file] of files.entries()) shown = shown.replaceAll(file, names[at] ?? `${alias}/${basename(file)}`)
  }
  return shown.replaceAll(folder, '')
}
