import type { Random } from '../../seeded-random.ts'
import { type Effort, SchemaFault } from '../fault.ts'
import {
  type AvroType,
  type BranchType,
  branchName,
  type FixedType,
  type Logical,
  MAX_WALK_DEPTH,
  type PrimitiveType,
  type RecordType,
  type UnionType
} from './model.ts'

/** Deeper than this every value is as flat as it can be. */
const MAX_PLAYFUL_DEPTH = 5
const MAX_ITEMS = 3

/** A value in the JSON encoding of Avro: values of unions are wrapped. */
export function example(type: AvroType, random: Random, effort: Effort): unknown {
  const heights = new Heights(type, effort)
  if (heights.of(type) === Number.POSITIVE_INFINITY) {
    throw new SchemaFault('unsupported', 'No value fits the schema: a record in it always holds another of its kind')
  }
  return new Example(heights, random, effort).value(type, 0)
}

class Example {
  readonly #heights: Heights
  readonly #random: Random
  readonly #effort: Effort

  constructor(heights: Heights, random: Random, effort: Effort) {
    this.#heights = heights
    this.#random = random
    this.#effort = effort
  }

  value(type: AvroType, depth: number): unknown {
    this.#effort.spend()
    if (depth > MAX_WALK_DEPTH) throw new SchemaFault('too_complex', 'Every value of the schema is nested too deep')
    switch (type.kind) {
      case 'union': {
        const branch = this.#branch(type, depth)
        const value = this.value(branch, depth + 1)
        return branch.kind === 'null' ? null : { [branchName(branch)]: value }
      }
      case 'record':
        return Object.fromEntries(type.fields.map((field) => [field.name, this.value(field.type, depth + 1)]))
      case 'array':
        return this.#keys(type.items, depth).map(() => this.value(type.items, depth + 1))
      case 'map':
        return Object.fromEntries(
          this.#keys(type.values, depth).map((key) => [key, this.value(type.values, depth + 1)])
        )
      case 'enum':
        return this.#choice(type.symbols)
      default:
        this.#effort.spend(type.kind === 'fixed' ? type.size : 1)
        return leafExample(type, this.#random)
    }
  }

  #branch(type: UnionType, depth: number): BranchType {
    const heights = type.branches.map((branch) => this.#heights.of(branch))
    const limit = depth < MAX_PLAYFUL_DEPTH ? Number.MAX_VALUE : Math.min(...heights)
    return this.#choice(type.branches.filter((_, index) => (heights[index] ?? 0) <= limit))
  }

  /** Keys for the items of an array or a map; their number is random. */
  #keys(type: AvroType, depth: number): string[] {
    if (depth >= MAX_PLAYFUL_DEPTH || this.#heights.of(type) === Number.POSITIVE_INFINITY) return []
    const count = 1 + Math.floor(this.#random() * MAX_ITEMS)
    return Array.from({ length: count }, (_, index) => `key${index + 1}`)
  }

  #choice<T>(all: readonly T[]): T {
    const chosen = all[Math.floor(this.#random() * all.length)]
    if (chosen === undefined) throw new SchemaFault('unsupported', 'No value fits the schema')
    return chosen
  }
}

/**
 * How deep the flattest value of a type is; infinite where there is none, as with a record that always holds another
 * of its kind. Arrays and maps can be empty.
 */
export class Heights {
  readonly #effort: Effort
  readonly #records = new Map<RecordType, number>()

  constructor(root: AvroType, effort: Effort) {
    this.#effort = effort
    this.#collect(root, 0)
    // Each round finds those whose values can be made of what the rounds before found.
    for (let isChanged = true; isChanged; ) {
      isChanged = false
      for (const [record, height] of this.#records) {
        const now = 1 + record.fields.reduce((most, { type }) => Math.max(most, this.of(type)), 0)
        if (now === height) continue
        this.#records.set(record, now)
        isChanged = true
      }
    }
  }

  of(type: AvroType): number {
    this.#effort.spend()
    switch (type.kind) {
      case 'record':
        return this.#records.get(type) ?? Number.POSITIVE_INFINITY
      case 'union':
        return Math.min(...type.branches.map((branch) => this.of(branch)))
      case 'enum':
        return type.symbols.length === 0 ? Number.POSITIVE_INFINITY : 0
      default:
        return 0
    }
  }

  #collect(type: AvroType, depth: number): void {
    this.#effort.spend()
    if (depth > MAX_WALK_DEPTH) throw new SchemaFault('too_complex', 'Types refer to each other in too long a chain')
    if (type.kind === 'array') this.#collect(type.items, depth + 1)
    else if (type.kind === 'map') this.#collect(type.values, depth + 1)
    else if (type.kind === 'union') for (const branch of type.branches) this.#collect(branch, depth + 1)
    else if (type.kind === 'record' && !this.#records.has(type)) {
      this.#records.set(type, Number.POSITIVE_INFINITY)
      for (const field of type.fields) this.#collect(field.type, depth + 1)
    }
  }
}

const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heron']
const MS_PER_DAY = 86_400_000
/** Times are of the years 2020 to 2030. */
const [FROM_MS, SPAN_MS] = [Date.UTC(2020), 10 * 365 * MS_PER_DAY]
/** How many units of a logical type are a millisecond. */
const PER_MS: ReadonlyMap<string, number> = new Map([
  ['millis', 1],
  ['micros', 1000],
  ['nanos', 1_000_000]
])

function leafExample(type: PrimitiveType | FixedType, random: Random): unknown {
  switch (type.kind) {
    case 'null':
      return null
    case 'boolean':
      return random() < 0.5
    case 'int':
    case 'long':
      return type.logical === undefined ? Math.floor(random() * 1000) : timeExample(type.logical, random)
    case 'float':
    case 'double':
      // Eighths are exact as float and as double.
      return Math.floor(random() * 8000) / 8
    case 'string':
      return type.logical?.name === 'uuid' ? uuidExample(random) : word(random)
    case 'bytes':
      return type.logical?.name === 'decimal' ? bytesExample(1, random, 10) : bytesExample(4, random)
    case 'fixed':
      return type.logical?.name === 'decimal' && type.size > 0
        ? '\0'.repeat(type.size - 1) + bytesExample(1, random, 10)
        : bytesExample(type.size, random)
  }
}

function timeExample({ name }: Logical, random: Random): number {
  const ms = Math.floor(random() * SPAN_MS)
  if (name === 'date') return Math.floor((FROM_MS + ms) / MS_PER_DAY)
  const perMs = PER_MS.get(name.slice(name.lastIndexOf('-') + 1)) ?? 1
  return (name.startsWith('time-') ? ms % MS_PER_DAY : FROM_MS + ms) * perMs
}

function word(random: Random): string {
  return WORDS[Math.floor(random() * WORDS.length)] ?? ''
}

function uuidExample(random: Random): string {
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('')
  return `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`
}

/** One character for each byte. */
function bytesExample(size: number, random: Random, codes = 128): string {
  return Array.from({ length: size }, () => String.fromCharCode(Math.floor(random() * codes))).join('')
}
