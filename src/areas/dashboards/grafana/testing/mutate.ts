import { between, pick, type Random } from '../../../../engines/seeded-random.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }

/** Values of every type, those among them that code tends to stumble over. */
const ODD: readonly Json[] = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  0.1,
  '',
  'x',
  '$',
  '${',
  '[[a]]',
  '$__all',
  '\u0000\uD800',
  'now-0s',
  '9'.repeat(400),
  "'; DROP TABLE x; --",
  'SELECT $__timeGroup(a, b FROM',
  '/^(a|b)$/',
  'constructor',
  '__proto__',
  [],
  [null],
  [[]],
  {},
  { toString: 1 },
  { type: 'row', panels: [{}] }
]

/** A copy with some things taken out, replaced, given another type, put elsewhere or nested deeply. */
export function mutated(json: unknown, random: Random): unknown {
  const root = { value: structuredClone(json) as Json }
  for (let changes = between(random, 1, 6); changes > 0; changes--) change(root, random)
  return root.value
}

function change(root: { value: Json }, random: Random): void {
  const places = placesIn(root as unknown as { [name: string]: Json })
  const { parent, key } = pick(random, places)
  const at = parent as Record<string, Json>
  const kind = between(random, 0, 5)
  if (kind === 0 && Array.isArray(parent)) parent.splice(Number(key), 1)
  else if (kind === 0 && key !== 'value') delete at[key]
  else if (kind === 1) at[key] = structuredClone(pick(random, ODD))
  else if (kind === 2) at[key] = otherType(at[key] as Json)
  else if (kind === 3) at[key] = nested(at[key] as Json, between(random, 1, 70))
  else if (kind === 4 && Array.isArray(parent)) parent.push(structuredClone(at[key] as Json))
  else {
    const other = pick(random, places)
    at[key] = structuredClone((other.parent as Record<string, Json>)[other.key] as Json)
  }
}

interface Place {
  readonly parent: Json[] | { [name: string]: Json }
  readonly key: string
}

const MAX_PLACES = 5000

function placesIn(root: { [name: string]: Json }): Place[] {
  const places: Place[] = []
  const left: Place['parent'][] = [root]
  for (const parent of left) {
    for (const key of Object.keys(parent)) {
      if (places.length >= MAX_PLACES) return places
      places.push({ parent, key })
      const value = (parent as Record<string, Json>)[key]
      if (typeof value === 'object' && value !== null) left.push(value)
    }
  }
  return places
}

function otherType(value: Json): Json {
  if (typeof value === 'string') return Number(value) || [value]
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return Object.fromEntries(value.map((each, i) => [String(i), each]))
  return typeof value === 'object' && value !== null ? Object.values(value) : { value }
}

function nested(value: Json, depth: number): Json {
  let outer = value
  for (let level = 0; level < depth; level++) outer = level % 2 === 0 ? [outer] : { panels: outer }
  return outer
}
