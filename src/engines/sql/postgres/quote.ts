import { checkColumnName, type TableName } from '../names.ts'

/** A name as SQL, exactly as it is. */
export function quoteName(name: string): string {
  return `"${checkColumnName(name).replaceAll('"', '""')}"`
}

export function quoteTable(table: TableName): string {
  return table.map(quoteName).join('.')
}
