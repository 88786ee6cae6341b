/** An object of a document that was copied by `soundCopy`: it has no prototype, so that any name can be asked for. */
export type Fields = Readonly<Record<string, unknown>>

export interface Fault {
  readonly pointer: string
  readonly message: string
}

const MAX_DEPTH = 60
/** Of names, texts and values together, which is about what they take as JSON. */
const MAX_CHARS = 5 * 1024 * 1024
const MAX_OBJECTS = 200_000
const NOTHING: Fields = Object.freeze(Object.create(null))

class TooMuch extends Error {}

/** The document without what a later reader could stumble over; a fault where it is too deep or too large. */
export function soundCopy(json: unknown): { value: unknown } | { faults: readonly Fault[] } {
  let left = MAX_CHARS
  let objects = 0
  const take = (chars: number) => {
    left -= chars + 2
    if (left < 0) throw new TooMuch('must have at most 5 MB')
  }
  const copy = (value: unknown, depth: number): unknown => {
    if (depth > MAX_DEPTH) throw new TooMuch(`must be nested at most ${MAX_DEPTH} levels deep`)
    if (typeof value === 'string') {
      take(value.length)
      return value.toWellFormed().replaceAll('\0', '')
    }
    take(4)
    if (typeof value === 'object' && value !== null && ++objects > MAX_OBJECTS) {
      throw new TooMuch(`must have at most ${MAX_OBJECTS} objects and lists`)
    }
    if (Array.isArray(value)) return value.map((each) => copy(each, depth + 1))
    if (typeof value !== 'object' || value === null) return isPlain(value) ? value : null
    const fields = Object.create(null) as Record<string, unknown>
    for (const [name, member] of Object.entries(value)) {
      take(name.length)
      if (name !== '__proto__') fields[name] = copy(member, depth + 1)
    }
    return fields
  }
  try {
    return { value: copy(json, 0) }
  } catch (error) {
    if (error instanceof TooMuch) return { faults: [{ pointer: '', message: error.message }] }
    throw error
  }
}

const isPlain = (value: unknown): boolean => typeof value === 'boolean' || Number.isFinite(value)

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The object, or one without any field where it is something else. */
export function objectOf(value: unknown): Fields {
  return isObject(value) ? value : NOTHING
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function objectsOf(value: unknown): readonly Fields[] {
  return listOf(value).filter(isObject)
}

/** The text without blanks around it; empty where there is none. Numbers count: old dashboards mix both. */
export function textOf(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.trim() : ''
}

/** A number, also one that is written as text; undefined for anything else, and for what no axis can show. */
export function numberOf(value: unknown): number | undefined {
  const text = textOf(value)
  const number = text === '' ? Number.NaN : Number(text)
  return Math.abs(number) <= 1e300 ? number : undefined
}

/** The text on one line. */
export function lineOf(value: unknown): string {
  return textOf(value)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}

/** At most so many characters, none of them cut in half. */
export function shortened(text: string, maxChars: number): string {
  return text.length <= maxChars
    ? text
    : text
        .slice(0, maxChars)
        .toWellFormed()
        .replace(/\uFFFD$/, '')
}

/** What a table of ours has under a name that somebody else gave; never what all objects have. */
export function entryOf<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
