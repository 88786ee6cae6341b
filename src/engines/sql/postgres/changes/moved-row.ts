import { SqlError } from '../../errors.ts'
import { DEFAULT_TIMEOUT_MS } from '../../limits.ts'
import type { PostgresConnection, TextRow } from '../connection.ts'
import { quoteName, quoteTable } from '../quote.ts'
import type { CapturedTable } from './table.ts'

/**
 * The values that columns of a row have now. A row that gets another key comes without large values that did not change, and whoever
 * keeps rows by their keys does not know which row had them. What they are now will do: what becomes of them later is told later.
 * Undefined where there is no such row any more, which is told later as well.
 */
export async function valuesNow(
  connection: PostgresConnection,
  { name, keys }: CapturedTable,
  keyTexts: ReadonlyMap<string, string>,
  columns: readonly string[]
): Promise<TextRow | undefined> {
  const same = keys.map((key, i) => `${quoteName(key.name)} = $${i + 1}::text::${key.type}`).join(' AND ')
  try {
    await connection.begin('read', DEFAULT_TIMEOUT_MS)
    const { rows } = await connection.run(
      `SELECT ${columns.map(quoteName).join(', ')} FROM ${quoteTable(name)} WHERE ${same}`,
      keys.map((key) => keyTexts.get(key.name) ?? null)
    )
    return rows[0]
  } catch (error) {
    // The table may have other columns by now.
    if (error instanceof SqlError && error.code === 'no_such_column') return undefined
    throw error
  }
}
