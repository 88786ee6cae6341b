import fc, { type Arbitrary } from 'fast-check'

/** Decisions that a property test can make smaller: fewer and lower numbers mean simpler things. */
export class Choices {
  readonly #numbers: readonly number[]
  #at = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }

  /** From 0 up to, not including, `count`. */
  below(count: number): number {
    const number = this.#numbers[this.#at++] ?? 0
    return number % count
  }

  of<T>(...all: readonly T[]): T {
    return all[this.below(all.length)] as T
  }

  /** Once in so many times. */
  once(inTimes: number): boolean {
    return this.below(inTimes) === inTimes - 1
  }

  random = (): number => this.below(1000) / 1000
}

export const choices: Arbitrary<Choices> = fc
  .array(fc.nat(999), { minLength: 0, maxLength: 150, size: 'max' })
  .map((numbers) => new Choices(numbers))

export type SchemaJson = string | SchemaJson[] | { [key: string]: unknown }

const PRIMITIVES = ['int', 'string', 'long', 'null', 'boolean', 'float', 'double', 'bytes']
const LOGICAL: SchemaJson[] = [
  { type: 'int', logicalType: 'date' },
  { type: 'long', logicalType: 'timestamp-millis' },
  { type: 'long', logicalType: 'timestamp-micros' },
  { type: 'string', logicalType: 'uuid' },
  { type: 'bytes', logicalType: 'decimal', precision: 8, scale: 2 }
]
const SYMBOLS = ['A', 'B', 'C', 'D', 'E']
const FIELDS = ['a', 'b', 'c', 'd', 'e']
const NAMESPACES = ['w', 'x', 'y']
const MAX_DEPTH = 4

/** A schema that both our parser and avsc take, made by choices. */
export class AnySchema {
  readonly #choices: Choices
  readonly #names: string[] = []
  /** Records that are being made: they can be referred to where a value may stop. */
  readonly #open: string[] = []
  #count = 0

  constructor(choices: Choices) {
    this.#choices = choices
  }

  /** Mostly a record, as schemas are. */
  root(): SchemaJson {
    return this.#choices.once(4) ? this.type() : this.record()
  }

  type(depth = 0, canStop = false): SchemaJson {
    const { below, once, of } = this.#bound()
    if (canStop && this.#open.length > 0 && once(4)) return of(...this.#open)
    if (this.#names.length > 0 && once(6)) return of(...this.#names)
    if (depth >= MAX_DEPTH) return of(...PRIMITIVES)
    switch (below(10)) {
      case 4:
        return { type: 'array', items: this.type(depth + 1, true) }
      case 5:
        return { type: 'map', values: this.type(depth + 1, true) }
      case 6:
        return this.union(depth)
      case 7:
        return this.enum()
      case 8:
        return once(3) ? this.fixed() : of(...LOGICAL)
      case 9:
      case 3:
        return this.record(depth)
      default:
        return of(...PRIMITIVES)
    }
  }

  record(depth = 0): SchemaJson {
    const { below } = this.#bound()
    const name = this.#name()
    this.#open.push(name)
    const fields = FIELDS.slice(0, below(4) + 1).map((field) => this.field(field, depth))
    this.#open.pop()
    this.#names.push(name)
    return { type: 'record', name, fields }
  }

  field(name: string, depth: number): Record<string, unknown> {
    const type = this.type(depth + 1)
    const value = this.#choices.once(3) ? simpleDefault(type) : undefined
    return { name, type, ...(value !== undefined && { default: value }) }
  }

  enum(): SchemaJson {
    const symbols = SYMBOLS.slice(0, this.#choices.below(4) + 1)
    const name = this.#name()
    this.#names.push(name)
    return { type: 'enum', name, symbols, ...(this.#choices.once(3) && { default: symbols[0] }) }
  }

  fixed(): SchemaJson {
    const name = this.#name()
    this.#names.push(name)
    return { type: 'fixed', name, size: this.#choices.below(3) + 1 }
  }

  union(depth: number): SchemaJson {
    const branches = new Map<string, SchemaJson>()
    const count = this.#choices.below(4) + 1
    for (let index = 0; index < count; index++) {
      const branch = this.type(depth + 1, index > 0)
      if (!Array.isArray(branch)) branches.set(branchKey(branch), branch)
    }
    return [...branches.values()]
  }

  #name(): string {
    return `${this.#choices.of(...NAMESPACES)}.T${this.#count++}`
  }

  #bound() {
    const made = this.#choices
    return { below: made.below.bind(made), once: made.once.bind(made), of: made.of.bind(made) as typeof made.of }
  }
}

export function branchKey(branch: SchemaJson): string {
  if (typeof branch === 'string') return branch
  const { type, name } = branch as Record<string, unknown>
  return String(name ?? type)
}

/** A default that suits the type, for the simple ones. */
export function simpleDefault(type: SchemaJson): unknown {
  if (Array.isArray(type)) return type[0] === undefined ? undefined : simpleDefault(type[0])
  const kind = typeof type === 'string' ? type : (type as { type: unknown }).type
  switch (kind) {
    case 'int':
    case 'long':
    case 'float':
    case 'double':
      return 1
    case 'string':
    case 'bytes':
      return 'x'
    case 'null':
      return null
    case 'boolean':
      return true
    case 'array':
      return []
    case 'map':
      return {}
    case 'enum':
      return ((type as { symbols?: string[] }).symbols ?? [])[0]
    default:
      return undefined
  }
}
