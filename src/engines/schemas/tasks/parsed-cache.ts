import type { Parsed, SchemaType, Source } from '../format.ts'

/** Of each type. */
const MAX_CHARS = 2 * 1024 * 1024
/** What a parsed schema takes beside its text, roughly, so that many small ones are bounded too. */
const CHARS_EACH = 4000

type Entries = Map<string, { readonly parsed: Parsed<unknown>; readonly chars: number }>

/** Parsed schemas by their text, those used last: a check parses what it is held against only once. */
export function createParsedCache() {
  const byType: Record<SchemaType, Entries> = { avro: new Map(), json: new Map(), protobuf: new Map() }
  const chars: Record<SchemaType, number> = { avro: 0, json: 0, protobuf: 0 }
  return (type: SchemaType, { text, dependencies }: Source, parse: () => Parsed<unknown>): Parsed<unknown> => {
    const entries = byType[type]
    // No text has a NUL, so that none can pass for another one with what that refers to.
    const key = dependencies.length === 0 ? text : `\0${JSON.stringify(dependencies)}${text}`
    const known = entries.get(key)
    if (known !== undefined) {
      entries.delete(key)
      entries.set(key, known)
      return known.parsed
    }
    const entry = { parsed: parse(), chars: key.length + CHARS_EACH }
    entries.set(key, entry)
    chars[type] += entry.chars
    for (const [oldest, { chars: freed }] of entries) {
      if (chars[type] <= MAX_CHARS) break
      entries.delete(oldest)
      chars[type] -= freed
    }
    return entry.parsed
  }
}
