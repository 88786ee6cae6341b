import type { Effort } from '../effort.ts'
import { SchemaFault } from '../fault.ts'
import { type AvroType, MAX_WALK_DEPTH, type RecordType } from './model.ts'

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
