import { basename } from 'node:path'
import { DataError } from '../errors.ts'
import type { Failure, RunRequest } from './messages.ts'
import { positionIn } from './sql-position.ts'

/** An error of DuckDB as JSON; all values are texts. */
interface DuckDBFailure {
  readonly exception_type: string
  readonly exception_message: string
  readonly position?: string
}

/** An error as it is shown to the author of the SQL. */
export function failureOf(error: unknown, request: RunRequest): Failure {
  if (error instanceof DataError) {
    const { code, message, position } = error
    return position === undefined ? { code, message } : { code, message, position }
  }
  const told = parse(String(error instanceof Error ? error.message : error))
  if (told.exception_type === 'Out of Memory') return outOfMemory(request)
  const code = told.exception_type === 'Permission' ? 'sql_refused' : 'sql_error'
  const message = withoutPaths(told.exception_message, request)
  const unit = told.exception_type === 'Parser' ? 'characters' : 'bytes'
  const position = positionIn(request.sql, Number(told.position ?? Number.NaN), unit)
  return position === undefined ? { code, message } : { code, message, position }
}

/** The error for a relation whose data can't be read; the SQL itself was not looked at yet. */
export function unreadable(error: unknown, alias: string, request: RunRequest): DataError {
  const { code, message } = failureOf(error, request)
  if (code === 'out_of_memory') return new DataError(code, message)
  return new DataError('data_unreadable', `What ${alias} stands for can't be read: ${message}`)
}

export function outOfMemory({ limits }: RunRequest): Failure {
  const mib = Math.round(limits.memoryBytes / 1024 / 1024)
  return { code: 'out_of_memory', message: `The query needs more than the ${mib} MiB of memory it may use.` }
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

function withoutPaths(message: string, { relations, folder }: RunRequest): string {
  let shown = message
  for (const { alias, files } of relations) {
    for (const file of files) shown = shown.replaceAll(file, `${alias}/${basename(file)}`)
  }
  return shown.replaceAll(folder, '')
}
