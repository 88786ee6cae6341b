import type { Converted, FieldShape, Loss, RecordShape, Shape } from '../../format.ts'
import { DECIMAL_FORMAT, decimalPattern, RANGES } from './scalars.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
type Node = Record<string, unknown>

/** A schema of draft 2020-12. What is lost is told by the names of fields, `items`, `values` and numbers of options. */
export function fromShape(shape: Shape): Converted<string> {
  const writer = new Writer(shape)
  const body = writer.write(shape, '', true)
  const definitions = writer.definitions()
  const document = { $schema: DIALECT, ...body, ...(Object.keys(definitions).length > 0 ? { $defs: definitions } : {}) }
  return { result: `${JSON.stringify(document, undefined, 2)}\n`, lost: writer.lost }
}

class Writer {
  readonly lost: Loss[] = []
  readonly #definitions: Definitions
  readonly #written = new Map<string, Node>()
  /** The keys of the records around, by their names. */
  readonly #around: { name: string; key: string }[] = []

  constructor(shape: Shape) {
    this.#definitions = new Definitions(shape)
  }

  definitions(): Node {
    return Object.fromEntries(this.#written)
  }

  write(shape: Shape, path: string, isTop = false): Node {
    switch (shape.kind) {
      case 'any':
        return {}
      case 'null':
      case 'boolean':
        return { type: shape.kind }
      case 'number':
        return shape.bits === 32 ? { type: 'number', format: 'float' } : { type: 'number' }
      case 'string':
        return shape.format === undefined ? { type: 'string' } : { type: 'string', format: shape.format }
      case 'enum':
        return { type: 'string', ...(shape.name === undefined ? {} : { title: shape.name }), enum: [...shape.values] }
      case 'integer':
        return integer(shape.bits, shape.signed)
      case 'decimal':
      case 'bytes':
        return this.#text(shape, path)
      case 'list':
        return { type: 'array', items: this.write(shape.items, `${path}/items`) }
      case 'map':
        return { type: 'object', additionalProperties: this.write(shape.values, `${path}/values`) }
      case 'union':
        return this.#union(shape.options, path)
      case 'recursion':
        return {
          $ref: this.#definitions.reference(this.#around.findLast(({ name }) => name === shape.name)?.key ?? '')
        }
      case 'record':
        return isTop ? this.#record(shape, path) : this.#recordOrReference(shape, path)
    }
  }

  #text(shape: Extract<Shape, { kind: 'decimal' | 'bytes' }>, path: string): Node {
    if (shape.kind === 'decimal') {
      this.lost.push({
        path,
        message: 'A decimal is a string of digits; its precision and scale are only in the pattern.'
      })
      return { type: 'string', format: DECIMAL_FORMAT, pattern: decimalPattern(shape.precision, shape.scale) }
    }
    if (shape.size === undefined) return { type: 'string', contentEncoding: 'base64' }
    this.lost.push({
      path,
      message: `That there are exactly ${shape.size} bytes is only in the length of their base64.`
    })
    const length = 4 * Math.ceil(shape.size / 3)
    return { type: 'string', contentEncoding: 'base64', minLength: length, maxLength: length }
  }

  #union(options: readonly Shape[], path: string): Node {
    const others = options.filter((option) => option.kind !== 'null')
    const isNullable = others.length < options.length
    const nodes = others.map((option, index) => this.write(option, others.length === 1 ? path : `${path}/${index}`))
    const [only, second] = nodes
    if (only === undefined) return { type: 'null' }
    if (isNullable && second === undefined) return orNull(only)
    const isPlain = nodes.every((node) => typeof node.type === 'string' && Object.keys(node).length === 1)
    if (isPlain) return { type: [...new Set(nodes.map((node) => node.type)), ...(isNullable ? ['null'] : [])] }
    return { anyOf: [...nodes, ...(isNullable ? [{ type: 'null' }] : [])] }
  }

  #recordOrReference(shape: RecordShape, path: string): Node {
    const key = this.#definitions.keyOf(shape)
    const name = key === undefined ? undefined : this.#definitions.nameFor(key)
    if (key === undefined || name === undefined) return this.#record(shape, path)
    if (name !== '' && !this.#written.has(name)) {
      // Taken before it is written, so that it comes before what it is made of.
      this.#written.set(name, {})
      this.#written.set(name, this.#record(shape, path))
    }
    return { $ref: this.#definitions.reference(key) }
  }

  #record(shape: RecordShape, path: string): Node {
    const key = this.#definitions.keyOf(shape)
    if (key !== undefined) this.#around.push({ name: shape.name as string, key })
    const properties = shape.fields.map((field) => [field.name, this.#field(field, path)] as const)
    if (key !== undefined) this.#around.pop()
    const required = shape.fields.filter((field) => !field.optional).map(({ name }) => name)
    return {
      ...(shape.name === undefined ? {} : { title: shape.name }),
      ...(shape.doc === undefined ? {} : { description: shape.doc }),
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length === 0 ? {} : { required }),
      ...(shape.open === true ? {} : { additionalProperties: false })
    }
  }

  #field(field: FieldShape, path: string): Node {
    const at = `${path}/${field.name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    const node = this.write(field.shape, at)
    if (field.doc !== undefined && typeof node.description === 'string' && node.description !== field.doc) {
      this.lost.push({ path: at, message: 'The documentation of the type is left out for that of the field.' })
    }
    return {
      ...node,
      ...(field.doc === undefined ? {} : { description: field.doc }),
      ...(field.default === undefined ? {} : { default: field.default })
    }
  }
}

function integer(bits: 32 | 64, signed: boolean): Node {
  const range = RANGES.find((each) => each.bits === bits && each.signed === signed)
  return {
    type: 'integer',
    format: range?.format,
    ...(range?.least === undefined ? {} : { minimum: range.least }),
    ...(range?.most === undefined ? {} : { maximum: range.most })
  }
}

/** The schema with null allowed as well. */
function orNull(node: Node): Node {
  if (typeof node.type !== 'string') return Object.keys(node).length === 0 ? node : { anyOf: [node, { type: 'null' }] }
  const values = Array.isArray(node.enum) ? { enum: [...node.enum, null] } : {}
  return { ...node, type: [node.type, 'null'], ...values }
}

/**
 * Which records of a shape are written once and referred to: those that occur more than once, and those that contain
 * themselves. Records of one name that are not the same get numbers.
 */
class Definitions {
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
      // Counts as two uses: the record itself and the reference to it.
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
