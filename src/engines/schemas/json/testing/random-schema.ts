import type { Draft } from '../model.ts'
import type { Chance } from './chance.ts'

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
