import { checkColumnName, type TableName } from '../names.ts'

/** A name as a quoted SQL identifier. */
export function quoteName(name: string): string {
  return `\`${checkColumnName(name).replaceAll('`', '``')}\``
}

export function quoteTable(table: TableName): string {
  return table.map(quoteName).join('.')
}

/** A text as an SQL literal, by its bytes: what a backslash means depends on the settings of the server. */
export function quoteText(text: string): string {
  return `_utf8mb4 X'${Buffer.from(text).toString('hex')}'`
}
