import { type Effort, MAX_DEPTH } from '../../effort.ts'
import { SchemaFault } from '../../fault.ts'
import type { Converted, Loss } from '../../format.ts'
import type { FieldShape, RecordShape, Shape } from '../../shape.ts'
import { defaultJsonName } from '../link/build-field.ts'
import type { EnumModel, FieldModel, MessageModel, ProtobufModel, ValueType } from '../model.ts'
import { rootMessage } from '../value/root-message.ts'
import { decimalOf } from './decimal.ts'
import { SCALAR_SHAPES } from './scalar-shapes.ts'
import { SPECIAL_SHAPES } from './special-shapes.ts'
import { defaultOf } from './to-default.ts'

/** What data of the first message are, as JSON has them. */
export function toShape(model: ProtobufModel, effort: Effort): Converted<Shape> {
  const converter = new Converter(model, effort)
  return { result: converter.message(rootMessage(model).fullName, ''), lost: converter.lost }
}

const MAX_LOSSES = 1_000

class Converter {
  readonly lost: Loss[] = []
  readonly #model: ProtobufModel
  readonly #effort: Effort
  readonly #said = new Set<string>()
  /** The messages that the one at hand is in. */
  readonly #within = new Set<string>()

  constructor(model: ProtobufModel, effort: Effort) {
    this.#model = model
    this.#effort = effort
  }

  message(name: string, path: string): Shape {
    const special = SPECIAL_SHAPES.get(name)
    if (special !== undefined) {
      if (special.lost !== undefined) this.#lose(path, special.lost)
      return special.shape
    }
    if (this.#within.has(name)) return { kind: 'recursion', name }
    if (this.#within.size >= MAX_DEPTH) throw new SchemaFault('too_complex', 'Messages lead too deep; nest them less')
    this.#within.add(name)
    const shape = this.#record(this.#model.types.get(name) as MessageModel)
    this.#within.delete(name)
    return shape
  }

  #record(message: MessageModel): RecordShape {
    const path = `/${message.fullName}`
    const fields = [...message.fields.values()]
    if (fields.some(({ number }, index) => number !== index + 1)) {
      this.#lose(path, 'The numbers of the fields; fields are numbered anew in their order')
    }
    for (const { name, numbers } of message.oneofs) {
      const names = numbers.map((number) => message.fields.get(number)?.name).join(', ')
      this.#lose(`${path}/${name}`, `That at most one of ${names} is there`)
    }
    const shapes = fields.map((field) => this.#field(field, `${path}/${field.number}`))
    return { kind: 'record', name: message.fullName, fields: shapes, open: false }
  }

  #field(field: FieldModel, path: string): FieldShape {
    const { type, label } = field
    const isPlural = label === 'repeated' || type.kind === 'map'
    let shape: Shape
    if (type.kind === 'map') {
      if (type.key !== 'string') this.#lose(path, `That keys are of the type ${type.key}; they are texts`)
      shape = { kind: 'map', values: this.#value(type.value, path) }
    } else {
      const value = decimalOf(field) ?? this.#value(type, path)
      shape = label === 'repeated' ? { kind: 'list', items: value } : value
    }
    const defaultValue = defaultOf(this.#model, field)
    return {
      name: field.jsonName === defaultJsonName(field.name) ? field.name : field.jsonName,
      shape,
      optional: !isPlural && field.hasPresence && label !== 'required',
      ...(defaultValue === undefined ? {} : { default: defaultValue })
    }
  }

  #value(type: ValueType, path: string): Shape {
    this.#effort.spend()
    if (type.kind === 'message') return this.message(type.name, path)
    return type.kind === 'scalar' ? SCALAR_SHAPES[type.name] : this.#enum(type.name, path)
  }

  #enum(name: string, path: string): Shape {
    if (name === 'google.protobuf.NullValue') return { kind: 'null' }
    const { values, fullName } = this.#model.types.get(name) as EnumModel
    if (values.some(({ number }, index) => number !== index)) {
      this.#lose(path, `The numbers of ${fullName}; its values are numbered anew in their order`)
    }
    return { kind: 'enum', name: fullName, values: values.map((value) => value.name) }
  }

  #lose(path: string, message: string): void {
    const key = `${path} ${message}`
    if (this.#said.has(key) || this.lost.length >= MAX_LOSSES) return
    this.#said.add(key)
    this.lost.push({ path, message })
  }
}
