import type { Effort } from '../effort.ts'
import { SchemaFault } from '../fault.ts'
import type { Random } from '../format.ts'
import { leafExample } from './example-leaves.ts'
import { Heights } from './heights.ts'
import { type AvroType, type BranchType, branchName, MAX_WALK_DEPTH, type UnionType } from './model.ts'

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
        return this.#some(type.items, depth).map(() => this.value(type.items, depth + 1))
      case 'map':
        return Object.fromEntries(
          this.#some(type.values, depth).map((key) => [key, this.value(type.values, depth + 1)])
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

  /** Keys, as many as there are to be values. */
  #some(type: AvroType, depth: number): string[] {
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
