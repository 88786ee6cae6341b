import type { SqlColumn, SqlValue } from '../index.ts'

/** A row as a JSON object. Bytes are hexadecimal digits; numbers have all their digits, whatever a reader makes of them. */
export function rowJson(columns: readonly SqlColumn[], values: readonly SqlValue[]): string {
  const members = columns.map(({ name, type }, i) => {
    const value = values[i] ?? null
    const isJson = type === 'json' && typeof value === 'string'
    return `${JSON.stringify(name)}:${isJson ? value : valueJson(value)}`
  })
  return `{${members.join(',')}}`
}

function valueJson(value: SqlValue): string {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array)
    return `"${Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')}"`
  // JSON has no word for what is no finite number.
  if (typeof value === 'number' && !Number.isFinite(value)) return `"${value}"`
  return JSON.stringify(value)
}
