import type { RecordShape, Shape } from '../../shape.ts'

/**
 * Which records of a shape are written once and referred to: those that occur more than once, and those that contain
 * themselves. Records of one name that are not the same get numbers.
 */
export class Definitions {
  /** Of each record with a name, what it is made of, as text. */
  readonly #keys = new Map<RecordShape, string>()
  readonly #uses = new Map<string, number>()
  readonly #names = new Map<string, string>()
  readonly #topKey: string | undefined

  constructor(shape: Shape) {
    this.#collect(shape, [])
    this.#topKey = shape.kind === 'record' ? this.#keys.get(shape) : undefined
    const taken = new Set<string>()
    for (const [{ name = '' }, key] of this.#keys) {
      if (this.#names.has(key)) continue
      let free = name
      for (let number = 2; taken.has(free); number++) free = `${name}_${number}`
      taken.add(free)
      this.#names.set(key, free)
    }
  }

  keyOf(shape: RecordShape): string | undefined {
    return this.#keys.get(shape)
  }

  /** Empty for the outermost record, which needs none; undefined for what is written where it stands. */
  nameFor(key: string): string | undefined {
    if (key === this.#topKey) return ''
    return (this.#uses.get(key) ?? 0) > 1 ? this.#names.get(key) : undefined
  }

  reference(key: string): string {
    const name = this.nameFor(key)
    return name === undefined || name === ''
      ? '#'
      : `#/$defs/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`
  }

  #collect(shape: Shape, around: readonly RecordShape[]): void {
    if (shape.kind === 'record') this.#collectRecord(shape, around)
    else if (shape.kind === 'list') this.#collect(shape.items, around)
    else if (shape.kind === 'map') this.#collect(shape.values, around)
    else if (shape.kind === 'union') for (const option of shape.options) this.#collect(option, around)
    else if (shape.kind === 'recursion') {
      const record = around.findLast(({ name }) => name === shape.name)
      const key = record === undefined ? undefined : this.#keys.get(record)
      // Twice: once for where it stands, once for where it comes again.
      if (key !== undefined) this.#uses.set(key, (this.#uses.get(key) ?? 0) + 2)
    }
  }

  #collectRecord(shape: RecordShape, around: readonly RecordShape[]): void {
    if (shape.name !== undefined) {
      const key = this.#keys.get(shape) ?? JSON.stringify(shape)
      this.#keys.set(shape, key)
      this.#uses.set(key, (this.#uses.get(key) ?? 0) + 1)
    }
    const inside = shape.name === undefined ? around : [...around, shape]
    for (const field of shape.fields) this.#collect(field.shape, inside)
  }
}
