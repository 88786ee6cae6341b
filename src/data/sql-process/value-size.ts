import type { DataValue } from './messages.ts'

/** The approximate size of a value in memory and in a message, without serialising it. */
export function sizeOf(value: DataValue): number {
  if (typeof value === 'string') return value.length + 8
  if (typeof value !== 'object' || value === null) return 8
  let bytes = 16
  if (Array.isArray(value)) for (const item of value) bytes += sizeOf(item)
  else for (const [name, item] of Object.entries(value)) bytes += name.length + sizeOf(item)
  return bytes
}
