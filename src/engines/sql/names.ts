import { SqlError } from './errors.ts'

/** The name of a table: one part, or schema and table. */
export type TableName = readonly [string] | readonly [schema: string, table: string]

const PART = /(?:"((?:[^"]|"")*)"|([^".]*))(\.|$)/y

/** Splits at the dot that is not in double quotes; within quotes, a quote is doubled. */
export function parseTableName(text: string): TableName {
  const parts: string[] = []
  PART.lastIndex = 0
  for (;;) {
    const match = PART.exec(text)
    if (match === null) throw noSuchTable(text)
    const [, quoted, plain, dot] = match
    parts.push(quoted?.replaceAll('""', '"') ?? (plain as string))
    if (dot === '') break
  }
  if (parts.length > 2 || !parts.every(isName)) throw noSuchTable(text)
  return parts as unknown as TableName
}

/** A table of any name, written as `table` takes it. */
export function quoteTableName(...parts: TableName): string {
  return parts.map((part) => `"${part.replaceAll('"', '""')}"`).join('.')
}

export function checkColumnName(name: string): string {
  if (!isName(name)) throw new SqlError('no_such_column', `No column can have the name ${JSON.stringify(name)}`)
  return name
}

/** Half of a surrogate pair can't be written as UTF-8, and a driver would send another character in its place. */
function isName(text: string): boolean {
  return text !== '' && !text.includes('\0') && text.isWellFormed()
}

function noSuchTable(text: string): SqlError {
  return new SqlError(
    'no_such_table',
    `${JSON.stringify(text)} is not the name of a table: give "table" or "schema.table"`
  )
}
