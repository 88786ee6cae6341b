import { type Random, seeded } from '../../../seeded-random.ts'
import type { Draft } from '../model.ts'

/** A source of chance that repeats itself for the same seed. */
export class Chance {
  /** From 0 up to, not including, 1. */
  readonly next: Random

  constructor(seed: number) {
    this.next = seeded(seed)
  }

  /** From 0 up to, not including, the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit)
  }

  is(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)] as T
  }
}

export type Loose = boolean | { [keyword: string]: unknown }

const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']
const NAMES = ['a', 'b', 'ab']
const PATTERNS = ['^a', 'b$', '^[a-b]*$']
const FORMATS = ['date', 'ipv4', 'email']
export const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  1,
  2.5,
  '',
  'a',
  'ab',
  [],
  [1],
  {},
  { a: 1 },
  { a: 'a', b: 2 }
]

/** Random schemas over all keywords of a draft, small enough that changes of them matter. */
export class SchemaMaker {
  readonly #chance: Chance
  readonly #draft: Draft

  constructor(chance: Chance, draft: Draft) {
    this.#chance = chance
    this.#draft = draft
  }

  document(): Loose {
    const root = this.schema(3)
    if (typeof root === 'boolean') return root
    const holder = this.#isModern() ? '$defs' : 'definitions'
    return { ...root, [holder]: { x: this.schema(2), y: this.schema(1) } }
  }

  #isModern(): boolean {
    return this.#draft === '2019-09' || this.#draft === '2020-12'
  }

  schema(depth: number): Loose {
    const { is, pick, below } = this.#tools()
    if (this.#draft !== 'draft-04' && is(0.06)) return is(0.7)
    if (is(0.05)) return {}
    if (depth > 0 && is(0.12)) {
      const reference = { $ref: `#/${this.#isModern() ? '$defs' : 'definitions'}/${pick(['x', 'y'])}` }
      return this.#isModern() && is(0.3) ? { ...reference, ...this.#some(depth - 1) } : reference
    }
    const schema: { [keyword: string]: unknown } = this.#some(depth)
    if (is(0.1)) Object.assign(schema, this.#some(depth))
    if (is(0.08)) schema.enum = Array.from({ length: 1 + below(4) }, () => pick(VALUES))
    if (is(0.04) && this.#draft !== 'draft-04') schema.const = pick(VALUES)
    if (is(0.1)) schema.title = pick(['one', 'two'])
    if (is(0.1)) schema.default = pick(VALUES)
    return schema
  }

  #tools() {
    const chance = this.#chance
    return {
      is: (probability: number) => chance.is(probability),
      pick: <T>(from: readonly T[]) => chance.pick(from),
      below: (limit: number) => chance.below(limit)
    }
  }

  /** Keywords of one kind, mostly with the type they are about. */
  #some(depth: number): { [keyword: string]: unknown } {
    const { is, pick } = this.#tools()
    const kind = pick(
      depth > 0 ? ['string', 'number', 'object', 'object', 'array', 'combined', 'type'] : ['string', 'number', 'type']
    )
    const schema = this.#keywordsOf(kind, depth)
    if (kind === 'type' || (kind === 'combined' && is(0.3))) schema.type = this.#type()
    else if (kind !== 'combined' && is(0.75)) schema.type = kind === 'number' && is(0.5) ? 'integer' : kind
    return schema
  }

  #type(): unknown {
    const { is, pick } = this.#tools()
    return is(0.7) ? pick(TYPES) : [...new Set([pick(TYPES), pick(TYPES), pick(TYPES)])]
  }

  #keywordsOf(kind: string, depth: number): { [keyword: string]: unknown } {
    switch (kind) {
      case 'string':
        return this.#string()
      case 'number':
        return this.#number()
      case 'object':
        return this.#object(depth - 1)
      case 'array':
        return this.#array(depth - 1)
      case 'combined':
        return this.#combined(depth - 1)
      default:
        return {}
    }
  }

  #string(): { [keyword: string]: unknown } {
    const { is, pick, below } = this.#tools()
    return {
      ...(is(0.3) && { minLength: below(3) }),
      ...(is(0.3) && { maxLength: below(4) }),
      ...(is(0.2) && { pattern: pick(PATTERNS) }),
      ...(is(0.1) && { format: pick(FORMATS) })
    }
  }

  #number(): { [keyword: string]: unknown } {
    const { is, pick, below } = this.#tools()
    const isOld = this.#draft === 'draft-04'
    const schema: { [keyword: string]: unknown } = {
      ...(is(0.4) && { minimum: below(4) - 1 }),
      ...(is(0.4) && { maximum: below(5) }),
      ...(is(0.2) && { multipleOf: pick([0.5, 1, 2, 3, 4]) })
    }
    for (const [bound, exclusive] of [
      ['minimum', 'exclusiveMinimum'],
      ['maximum', 'exclusiveMaximum']
    ] as const) {
      if (!is(0.2)) continue
      if (!isOld) schema[exclusive] = below(4)
      else if (bound in schema) schema[exclusive] = is(0.7)
    }
    return schema
  }

  #names(): string[] {
    return NAMES.filter(() => this.#chance.is(0.5))
  }

  #object(depth: number): { [keyword: string]: unknown } {
    const { is, pick, below } = this.#tools()
    const required = this.#names()
    const schema: { [keyword: string]: unknown } = {
      ...(is(0.8) && { properties: Object.fromEntries(this.#names().map((name) => [name, this.schema(depth)])) }),
      ...(is(0.4) && required.length > 0 && { required }),
      ...(is(0.4) && { additionalProperties: is(0.6) ? is(0.3) : this.schema(depth) }),
      ...(is(0.15) && { patternProperties: { [pick(PATTERNS)]: this.schema(depth) } }),
      ...(is(0.1) && { minProperties: below(3) }),
      ...(is(0.1) && { maxProperties: below(4) }),
      ...(is(0.1) && { dependencies: { [pick(NAMES)]: is(0.5) ? [pick(NAMES)] : this.schema(depth) } })
    }
    if (this.#draft !== 'draft-04' && is(0.08))
      schema.propertyNames = is(0.5) ? { maxLength: 1 } : { pattern: pick(PATTERNS) }
    if (!this.#isModern()) return schema
    if (is(0.1)) schema.unevaluatedProperties = is(0.7) ? false : this.schema(depth)
    if (is(0.08)) schema.dependentRequired = { [pick(NAMES)]: [pick(NAMES)] }
    if (is(0.08)) schema.dependentSchemas = { [pick(NAMES)]: this.schema(depth) }
    return schema
  }

  #array(depth: number): { [keyword: string]: unknown } {
    const { is, below } = this.#tools()
    const schema: { [keyword: string]: unknown } = {
      ...(is(0.15) && { minItems: below(3) }),
      ...(is(0.15) && { maxItems: below(4) }),
      ...(is(0.15) && { uniqueItems: is(0.8) })
    }
    const tuple = Array.from({ length: 1 + below(2) }, () => this.schema(depth))
    if (this.#draft === '2020-12') {
      if (is(0.5)) schema.items = this.schema(depth)
      if (is(0.4)) schema.prefixItems = tuple
    } else if (is(0.8)) {
      schema.items = is(0.5) ? this.schema(depth) : tuple
      if (is(0.4)) schema.additionalItems = is(0.4) ? is(0.5) : this.schema(depth)
    }
    if (this.#draft !== 'draft-04' && is(0.15)) schema.contains = this.schema(depth)
    if (!this.#isModern()) return schema
    if (is(0.1)) schema.unevaluatedItems = is(0.7) ? false : this.schema(depth)
    if ('contains' in schema && is(0.4)) schema.minContains = below(3)
    if ('contains' in schema && is(0.4)) schema.maxContains = 1 + below(2)
    return schema
  }

  #combined(depth: number): { [keyword: string]: unknown } {
    const { is, pick, below } = this.#tools()
    const some = () => Array.from({ length: 1 + below(3) }, () => this.schema(depth))
    const keyword = pick(['allOf', 'anyOf', 'oneOf', 'not', 'if'])
    if (keyword === 'not') return { not: this.schema(depth) }
    if (keyword !== 'if') return { [keyword]: some() }
    if (!this.#isModern() && this.#draft !== 'draft-07') return { anyOf: some() }
    const condition = { if: this.schema(depth) }
    const branch = (name: string) => (is(0.7) ? { [name]: this.schema(depth) } : {})
    return { ...condition, ...branch('then'), ...branch('else') }
  }
}

type Node = { [keyword: string]: unknown }

/** Below these are no schemas. */
const DATA = new Set(['enum', 'const', 'default', 'required', 'type', 'dependentRequired'])

/** The same schema with a few things changed, as people do. */
export function mutate(document: Loose, chance: Chance, maker: SchemaMaker): Loose {
  let result = structuredClone(document)
  for (let i = 0; i <= chance.below(2); i++) result = change(result, chance, maker)
  return result
}

function change(document: Loose, chance: Chance, maker: SchemaMaker): Loose {
  const places: { holder: Node; name: string }[] = []
  collect({ root: document }, places)
  const { holder, name } = chance.pick(places)
  const schema = holder[name]
  if (typeof schema === 'object' && schema !== null) holder[name] = changed(schema as Node, chance, maker)
  else holder[name] = maker.schema(1)
  return (places[0] as { holder: Node }).holder.root as Loose
}

function collect(holder: Node, found: { holder: Node; name: string }[]): void {
  for (const [name, value] of Object.entries(holder)) {
    if (DATA.has(name)) continue
    const isSchema =
      typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value))
    if (isSchema && !isHolder(name, value) && name !== 'uniqueItems') found.push({ holder, name })
    if (typeof value === 'object' && value !== null) collect(value as Node, found)
  }
}

function isHolder(name: string, value: unknown): boolean {
  const holders = ['properties', 'patternProperties', 'definitions', '$defs', 'dependencies', 'dependentSchemas']
  return typeof value === 'object' && holders.includes(name)
}

function changed(schema: Node, chance: Chance, maker: SchemaMaker): unknown {
  const copy = { ...schema }
  const names = Object.keys(copy).filter((name) => name !== '$defs' && name !== 'definitions')
  const name = names.length === 0 ? undefined : chance.pick(names)
  const kept = {
    ...('$defs' in copy && { $defs: copy.$defs }),
    ...('definitions' in copy && { definitions: copy.definitions })
  }
  switch (chance.below(8)) {
    case 0:
      return { ...kept, anyOf: [without(copy, Object.keys(kept)), maker.schema(1)] }
    case 1:
      return { ...kept, ...asNode(maker.schema(1)) }
    case 2:
      return { ...copy, ...asNode(maker.schema(1)), ...kept }
    case 3:
      return { ...kept, [chance.pick(['allOf', 'oneOf'])]: [without(copy, Object.keys(kept))] }
    case 4:
    case 5:
      return name === undefined ? copy : without(copy, [name])
    default:
      return name === undefined ? copy : { ...copy, [name]: turned(copy[name], chance, maker) }
  }
}

/** A bit more or less. */
function turned(value: unknown, chance: Chance, maker: SchemaMaker): unknown {
  if (typeof value === 'number')
    return Math.max(0.5, value + chance.pick([-1, 1])) === 0.5 ? 1 : value + chance.pick([0, 1])
  if (!Array.isArray(value)) return value
  if (value.every((each) => typeof each === 'object' || typeof each === 'boolean')) {
    return chance.is(0.5)
      ? [...value, maker.schema(1)]
      : chance.is(0.5) && value.length > 1
        ? value.slice(1)
        : value.toReversed()
  }
  return value.length > 1 ? value.slice(1) : value
}

function asNode(schema: Loose): Node {
  return typeof schema === 'boolean' ? {} : schema
}

function without(node: Node, names: readonly string[]): Node {
  return Object.fromEntries(Object.entries(node).filter(([name]) => !names.includes(name)))
}
