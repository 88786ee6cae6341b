import type { JsonRecord } from './table.ts'

/** Fields of all records of a shape together; a single record that has more is a shape by itself. */
export const MAX_FIELDS = 1000

/** What a value of JSON is. `null` goes with every other kind. */
export type Kind = 'null' | 'number' | 'boolean' | 'text' | 'json'

/** A field that records of one shape have. */
export interface Field {
  /** Its name as the records spell it, which is that of the column. */
  readonly name: string
  readonly kind: Kind
}

/** Records in which each field holds one kind of value, or nothing. */
export interface Shape {
  readonly records: readonly JsonRecord[]
  /** The places of its records among all. */
  readonly places: readonly number[]
  readonly fields: readonly Field[]
}

/** How often a field came, by kind, under one spelling. */
interface Count {
  readonly name: string
  readonly lower: string
  readonly kinds: Map<Kind, number>
}

/**
 * Sorts records by the kinds of values in their fields, so that what becomes of one does not depend on what others hold: most
 * are of the shape that is the most frequent, and each of the others is with those that differ from it in the same fields.
 * SQL knows no difference between temp and Temp, so that these are one field; a record that has both has the second as Temp_2.
 * A field of which it does not matter what kind it is (`isOfInterest`) is JSON where it holds several.
 */
export function shapesOf(given: readonly JsonRecord[], isOfInterest: (lower: string) => boolean): Shape[] {
  const found = countFields(given)
  if (found.size > MAX_FIELDS && given.length > 1) return inStretches(given, isOfInterest)
  const isPlain = new Set([...found.values()].map(({ lower }) => lower)).size === found.size && !found.has('')
  const records = isPlain ? given : given.map(withoutTwins)
  const counts = isPlain ? found : countFields(records)
  const byLower = Map.groupBy(counts.values(), ({ lower }) => lower)
  const main = new Map([...byLower].map(([lower, spellings]) => [lower, mainOf(spellings, isOfInterest(lower))]))
  const isMixed = [...byLower.values()].some((spellings) => spellings.length > 1 || kindsOf(spellings).length > 1)
  const all = { records, places: records.map((_, i) => i) }
  if (!isMixed) return records.length === 0 ? [] : [{ ...all, fields: [...main.values()] }]
  return divide(records, main, isOfInterest)
}

/** Sorts records a stretch at a time, so that the fields of a stretch have no more names than a table can sensibly have columns. */
function inStretches(records: readonly JsonRecord[], isOfInterest: (lower: string) => boolean): Shape[] {
  const shapes: Shape[] = []
  let names = new Set<string>()
  let from = 0
  const close = (to: number) => {
    const first = from
    for (const shape of shapesOf(records.slice(first, to), isOfInterest)) {
      shapes.push({ ...shape, places: shape.places.map((place) => place + first) })
    }
    from = to
    names = new Set()
  }
  for (const [place, record] of records.entries()) {
    const own = Object.keys(record)
    const more = own.filter((name) => !names.has(name)).length
    if (names.size + more > MAX_FIELDS && place > from) close(place)
    for (const name of own) names.add(name)
  }
  close(records.length)
  return shapes
}

function divide(
  records: readonly JsonRecord[],
  main: ReadonlyMap<string, Field>,
  isOfInterest: (lower: string) => boolean
): Shape[] {
  const groups = new Map<string, { records: JsonRecord[]; places: number[]; differing: Map<string, Field> }>()
  for (const [place, record] of records.entries()) {
    const differing = differencesOf(record, main, isOfInterest)
    const key = [...differing]
      .map(([lower, { name, kind }]) => `${lower}\n${name}\n${kind}`)
      .sort()
      .join('\n\n')
    const group = groups.get(key) ?? { records: [], places: [], differing }
    groups.set(key, group)
    group.records.push(record)
    group.places.push(place)
  }
  // The main shape first.
  return [...groups.values()]
    .toSorted((a, b) => a.differing.size - b.differing.size)
    .map(({ differing, ...group }) => ({ ...group, fields: fieldsOf(group.records, main, differing) }))
}

function differencesOf(
  record: JsonRecord,
  main: ReadonlyMap<string, Field>,
  isOfInterest: (lower: string) => boolean
): Map<string, Field> {
  const differing = new Map<string, Field>()
  for (const name in record) {
    const kind = kindOf(record[name])
    if (kind === 'null') continue
    const lower = name.toLowerCase()
    const usual = main.get(lower) as Field
    const isSame = usual.name === name && (usual.kind === kind || !isOfInterest(lower))
    if (!isSame) differing.set(lower, { name, kind: isOfInterest(lower) ? kind : usual.kind })
  }
  return differing
}

/** The fields that some of the records have. */
function fieldsOf(
  records: readonly JsonRecord[],
  main: ReadonlyMap<string, Field>,
  differing: ReadonlyMap<string, Field>
): Field[] {
  const there = new Set<string>()
  for (const record of records) for (const name in record) there.add(name.toLowerCase())
  return [...there].map((lower) => differing.get(lower) ?? (main.get(lower) as Field))
}

function countFields(records: readonly JsonRecord[]): Map<string, Count> {
  const counts = new Map<string, Count>()
  for (const record of records) {
    for (const name in record) {
      let count = counts.get(name)
      if (count === undefined) {
        count = { name, lower: name.toLowerCase(), kinds: new Map() }
        counts.set(name, count)
      }
      const kind = kindOf(record[name])
      count.kinds.set(kind, (count.kinds.get(kind) ?? 0) + 1)
    }
  }
  return counts
}

function mainOf(spellings: readonly Count[], isOfInterest: boolean): Field {
  const all = spellings.flatMap(({ name, kinds }) => [...kinds].map(([kind, times]) => ({ name, kind, times })))
  const held = all.filter(({ kind }) => kind !== 'null')
  const [most = all[0]] = held.toSorted((a, b) => b.times - a.times)
  const { name, kind } = most as Field
  return { name, kind: !isOfInterest && kindsOf(spellings).length > 1 ? 'json' : kind }
}

const kindsOf = (spellings: readonly Count[]): Kind[] =>
  [...new Set(spellings.flatMap(({ kinds }) => [...kinds.keys()]))].filter((kind) => kind !== 'null')

export function kindOf(value: unknown): Kind {
  switch (typeof value) {
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'string':
      return 'text'
    default:
      return value === null || value === undefined ? 'null' : 'json'
  }
}

/** The record with fields that SQL can tell apart, none of them without a name. */
export function withoutTwins(record: JsonRecord): JsonRecord {
  const names = Object.keys(record)
  const lower = new Set(names.map((name) => name.toLowerCase()))
  if (lower.size === names.length && !lower.has('')) return record
  const taken = new Set<string>()
  const renamed: Record<string, unknown> = {}
  for (const name of names) {
    const base = name === '' ? 'unnamed' : name
    let free = base
    for (let n = 2; taken.has(free.toLowerCase()) || (free !== name && lower.has(free.toLowerCase())); n++) {
      free = `${base}_${n}`
    }
    taken.add(free.toLowerCase())
    renamed[free] = record[name]
  }
  return renamed
}
