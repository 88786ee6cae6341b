import type { DataColumn, DataRow, DataValue } from '../../../data/sql-process/messages.ts'

export const FORMATS = {
  csv: { contentType: 'text/csv; charset=utf-8', write: toCsv },
  ndjson: { contentType: 'application/x-ndjson', write: toNdjson }
} as const

type Batches = AsyncIterable<readonly DataRow[]>

/** The first name that two columns have: which of them is meant could not be told afterwards. */
export function nameTwice(columns: readonly DataColumn[]): string | undefined {
  const seen = new Set<string>()
  for (const { name } of columns) {
    if (seen.has(name)) return name
    seen.add(name)
  }
  return undefined
}

async function* toNdjson(columns: readonly DataColumn[], batches: Batches): AsyncGenerator<Uint8Array> {
  const names = columns.map(({ name }) => JSON.stringify(name))
  for await (const rows of batches) {
    const lines = rows.map((row) => `{${names.map((name, i) => `${name}:${JSON.stringify(row[i])}`).join(',')}}\n`)
    yield Buffer.from(lines.join(''))
  }
}

async function* toCsv(columns: readonly DataColumn[], batches: Batches): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${columns.map(({ name }) => quoted(name)).join(',')}\r\n`)
  for await (const rows of batches) {
    yield Buffer.from(rows.map((row) => `${row.map(cell).join(',')}\r\n`).join(''))
  }
}

/** Nothing is an empty cell; an empty text is in quotes. */
function cell(value: DataValue): string {
  if (value === null) return ''
  if (typeof value === 'string') return quoted(value)
  return typeof value === 'object' ? quoted(JSON.stringify(value)) : String(value)
}

const quoted = (text: string) => (text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
