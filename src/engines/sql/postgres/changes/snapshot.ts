import { CHANGE_COLUMNS, type ChangesChunk } from '../../changes/index.ts'
import type { Bounds } from '../../requests.ts'
import type { Watch } from '../../watch.ts'
import type { PostgresConnection } from '../connection.ts'
import { quoteName, quoteTable, quoteText } from '../quote.ts'
import { fetchRows, toChunk } from '../read-cursor.ts'
import { type Position, positionText, recordPosition } from './position.ts'
import type { CapturedTable } from './table.ts'

/** The rows after those keys, in the order of their keys. */
export async function* readSnapshot(
  connection: PostgresConnection,
  table: CapturedTable,
  { at, snapshot }: Position,
  bounds: Bounds,
  watch: Watch
): AsyncGenerator<ChangesChunk> {
  const keys = table.keys.map(({ name }) => name)
  const statement = statementFor(table, snapshot)
  const here = recordPosition(at, 0)
  await watch.run(() => connection.begin('read', bounds.timeoutMs))
  for await (const result of fetchRows({ connection, statement, bounds, watch })) {
    const { columns, values, rows } = toChunk(result, undefined)
    const last = result.rows.at(-1) ?? []
    const reached = keys.map((key) => last[table.columns.indexOf(key)] as string)
    yield {
      columns: [...columns, ...CHANGE_COLUMNS],
      values: [...values, ...['snapshot', here, null, null, null].map((value) => Array(rows).fill(value))],
      rows,
      keys,
      position: positionText({ at, given: 0, snapshot: reached })
    }
  }
}

function statementFor({ name, columns, keys }: CapturedTable, after: Position['snapshot']): string {
  const list = columns.map(quoteName).join(', ')
  const names = keys.map((key) => quoteName(key.name)).join(', ')
  const beyond = keys.map(({ type }, i) => `${quoteText(after?.[i] ?? '')}::text::${type}`).join(', ')
  const where = after == null ? '' : `WHERE (${names}) > (${beyond}) `
  return `SELECT ${list} FROM ${quoteTable(name)} ${where}ORDER BY ${names}`
}
