type Cell = string | number | null

/** Rows as lines of JSON, chunk by chunk. */
export async function* toNdjson(chunks: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  for await (const rows of chunks) yield rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

/** Rows as CSV with a header, chunk by chunk. */
export async function* toCsv<C extends string>(
  columns: readonly C[],
  chunks: AsyncIterable<readonly Readonly<Record<C, Cell>>[]>
): AsyncGenerator<string> {
  yield `${columns.join(',')}\r\n`
  for await (const rows of chunks) {
    yield rows.map((row) => `${columns.map((column) => cell(row[column])).join(',')}\r\n`).join('')
  }
}

/** A spreadsheet takes text that starts like a formula for one, so such text gets an apostrophe before it. */
function cell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
