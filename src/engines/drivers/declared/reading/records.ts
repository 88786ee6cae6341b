import type { StreamEntry } from '../entry.ts'

export type JsonRecord = Readonly<Record<string, unknown>>

const pathTo = (place: StreamEntry['records']) =>
  typeof place === 'string' ? (place === '' ? [] : place.split('.')) : (place ?? [])

const MAX_NAMED = 8

/** What an answer has in place of what leads to its records, in words; undefined where it does lead there. */
export function missingIn(body: unknown, place: StreamEntry['records']): string | undefined {
  const path = pathTo(place)
  const [name] = path
  if (name === undefined || name === '*' || isCount(name) || Array.isArray(body)) return undefined
  if (typeof body !== 'object' || body === null) return `its answer is no object, and has no ${JSON.stringify(name)}`
  let holder = body as JsonRecord
  for (const [at, step] of path.entries()) {
    if (!Object.hasOwn(holder, step)) {
      const where = at === 0 ? 'its answer' : JSON.stringify(path.slice(0, at).join('.'))
      const names = Object.keys(holder).slice(0, MAX_NAMED)
      return `${where} has no ${JSON.stringify(step)}${names.length === 0 ? '' : `, but ${names.join(', ')}`}`
    }
    const next = holder[step]
    if (typeof next !== 'object' || next === null || Array.isArray(next)) return undefined
    holder = next as JsonRecord
  }
  return undefined
}

/** The records in an answer. One object is one record; what is no object becomes one with a `value`. */
export function recordsIn(body: unknown, place: StreamEntry['records']): JsonRecord[] {
  const path = pathTo(place)
  let found: unknown[] = [body]
  for (const [at, name] of path.entries()) {
    // A list on the way is gone through, as if there were a `*`.
    const holders =
      at > 0 && name !== '*' ? found.flatMap((one) => (Array.isArray(one) && !isCount(name) ? one : [one])) : found
    found = holders.flatMap((one) => membersOf(one, name))
  }
  const records: JsonRecord[] = []
  for (const one of found) {
    for (const value of Array.isArray(one) ? one : [one]) {
      if (value !== null && value !== undefined) records.push(recordOf(value))
    }
  }
  return records
}

const isCount = (name: string) => /^\d{1,9}$/.test(name)

function membersOf(value: unknown, name: string): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (name === '*') return Object.values(value)
  if (Array.isArray(value)) return isCount(name) && Number(name) < value.length ? [value[Number(name)]] : []
  return Object.hasOwn(value, name) ? [(value as JsonRecord)[name]] : []
}

const recordOf = (value: unknown): JsonRecord =>
  typeof value === 'object' && !Array.isArray(value) ? (value as JsonRecord) : { value }
