import { checkColumnName, type TableName } from '../names.ts'

/** A name as a quoted SQL identifier. */
export function quoteName(name: string): string {
  return `"${checkColumnName(name).replaceAll('"', '""')}"`
}

export function quoteTable(table: TableName): string {
  return table.map(quoteName).join('.')
}

/** A text as an SQL literal, whatever the server takes a backslash for. */
export function quoteText(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`
  return text.includes('\\') ? ` E${quoted.replaceAll('\\', '\\\\')}` : quoted
}
