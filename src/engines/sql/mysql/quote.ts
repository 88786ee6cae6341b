import { checkColumnName, type TableName } from '../names.ts'

/** A name as a quoted SQL identifier. */
export function quoteName(name: string): string {
  return `\`${checkColumnName(name).replaceAll('`', '``')}\``
}

export function quoteTable(table: TableName): string {
  return table.map(quoteName).join('.')
}
