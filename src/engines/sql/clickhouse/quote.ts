import { quoteName as quote } from '../../clickhouse/quote.ts'
import { checkColumnName, type TableName } from '../names.ts'

export { quoteText } from '../../clickhouse/quote.ts'

/** A name of a user as a quoted SQL identifier. */
export function quoteName(name: string): string {
  return quote(checkColumnName(name))
}

export function quoteTable(table: TableName): string {
  return table.map(quoteName).join('.')
}
