import type { Parsed, SchemaType, Source } from '../formats/format.ts'

const MAX_CHARS = 8 * 1024 * 1024
/** What a parsed schema takes beside its text, roughly, so that many small ones are bounded too. */
const CHARS_EACH = 2000

/** Parsed schemas by their text, those used last: a check parses what it is held against only once. */
export function createParsedCache() {
  const entries = new Map<string, { parsed: Parsed<unknown>; chars: number }>()
  let chars = 0
  return (type: SchemaType, { text, dependencies }: Source, parse: () => Parsed<unknown>): Parsed<unknown> => {
    const key = dependencies.length === 0 ? `${type} ${text}` : `${type} ${JSON.stringify(dependencies)} ${text}`
    const known = entries.get(key)
    if (known !== undefined) {
      entries.delete(key)
      entries.set(key, known)
      return known.parsed
    }
    const entry = { parsed: parse(), chars: key.length + CHARS_EACH }
    entries.set(key, entry)
    chars += entry.chars
    for (const [oldest, { chars: freed }] of entries) {
      if (chars <= MAX_CHARS) break
      entries.delete(oldest)
      chars -= freed
    }
    return entry.parsed
  }
}
