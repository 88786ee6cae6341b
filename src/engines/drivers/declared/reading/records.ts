import type { StreamEntry } from '../entry.ts'

export type JsonRecord = Readonly<Record<string, unknown>>

/** The records in an answer. One object is one record; what is no object becomes one with a `value`. */
export function recordsIn(body: unknown, place: StreamEntry['records']): JsonRecord[] {
  const path = typeof place === 'string' ? (place === '' ? [] : place.split('.')) : (place ?? [])
  let found: unknown[] = [body]
  for (const [at, name] of path.entries()) {
    // A list on the way is gone through, as if there were a `*`.
    const holders =
      at > 0 && name !== '*' ? found.flatMap((one) => (Array.isArray(one) && !isCount(name) ? one : [one])) : found
    found = holders.flatMap((one) => membersOf(one, name))
  }
  return found.flatMap((one) => (Array.isArray(one) ? one : [one])).flatMap(recordOf)
}

const isCount = (name: string) => /^\d{1,9}$/.test(name)

function membersOf(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (name === '*') return Object.values(value)
  if (Array.isArray(value)) return isCount(name) && Number(name) < value.length ? [value[Number(name)]] : []
  return Object.hasOwn(value, name) ? [(value as JsonRecord)[name]] : []
}

function recordOf(value: unknown): JsonRecord[] {
  if (value === null || value === undefined) return []
  return typeof value === 'object' && !Array.isArray(value) ? [value as JsonRecord] : [{ value }]
}
