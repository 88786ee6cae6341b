import { type Effort, MAX_DEPTH, SchemaFault } from '../../fault.ts'
import type { Converted, FieldShape, Loss, RecordShape, Shape } from '../../format.ts'
import { defaultJsonName } from '../link/build-field.ts'
import {
  type EnumModel,
  type FieldModel,
  type MessageModel,
  type OptionValue,
  type ProtobufModel,
  rootMessage,
  type Scalar,
  type ValueType
} from '../model.ts'
import { textOfBytes } from '../syntax/cursor.ts'
import { WRAPPERS } from '../value/scalars.ts'

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
  /** The messages that enclose the current one. */
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

const INT32: Shape = { kind: 'integer', bits: 32, signed: true }
const UINT32: Shape = { kind: 'integer', bits: 32, signed: false }
const INT64: Shape = { kind: 'integer', bits: 64, signed: true }
const UINT64: Shape = { kind: 'integer', bits: 64, signed: false }

/** What values are; how they are encoded is not part of a shape. */
const SCALAR_SHAPES: Readonly<Record<Scalar, Shape>> = {
  int32: INT32,
  sint32: INT32,
  sfixed32: INT32,
  uint32: UINT32,
  fixed32: UINT32,
  int64: INT64,
  sint64: INT64,
  sfixed64: INT64,
  uint64: UINT64,
  fixed64: UINT64,
  float: { kind: 'number', bits: 32 },
  double: { kind: 'number', bits: 64 },
  bool: { kind: 'boolean' },
  string: { kind: 'string' },
  bytes: { kind: 'bytes' }
}

interface SpecialShape {
  readonly shape: Shape
  readonly lost?: string
}

/** Messages that look different in JSON than their fields say. */
const SPECIAL_SHAPES: ReadonlyMap<string, SpecialShape> = new Map<string, SpecialShape>([
  ['google.protobuf.Timestamp', { shape: { kind: 'string', format: 'date-time' } }],
  ['google.protobuf.Duration', { shape: { kind: 'string' }, lost: 'That texts are durations such as "1.5s"' }],
  ['google.protobuf.FieldMask', { shape: { kind: 'string' }, lost: 'That texts are paths of fields' }],
  ['google.protobuf.Struct', { shape: { kind: 'map', values: { kind: 'any' } } }],
  ['google.protobuf.ListValue', { shape: { kind: 'list', items: { kind: 'any' } } }],
  ['google.protobuf.Value', { shape: { kind: 'any' } }],
  ['google.protobuf.Any', { shape: { kind: 'any' }, lost: 'That values say of which type they are' }],
  ...Array.from(WRAPPERS, ([name, scalar]): [string, SpecialShape] => [
    name,
    { shape: { kind: 'union', options: [SCALAR_SHAPES[scalar], { kind: 'null' }] } }
  ])
])

/** What readers see of a field that is not there, as JSON; undefined where they see that it is not there. */
function defaultOf(model: ProtobufModel, field: FieldModel): unknown {
  const { type, label, hasPresence, defaultValue } = field
  if (label === 'required') return undefined
  if (label === 'repeated') return []
  if (type.kind === 'map') return {}
  if (type.kind === 'message') return undefined
  if (type.kind === 'enum') {
    const first = (model.types.get(type.name) as EnumModel).values[0]?.name
    return defaultValue ?? (hasPresence ? undefined : first)
  }
  if (defaultValue === undefined) return hasPresence ? undefined : zeroOf(type.name)
  return asJson(type.name, defaultValue)
}

function zeroOf(type: Scalar): unknown {
  if (type === 'bool') return false
  return type === 'string' || type === 'bytes' ? '' : 0
}

function asJson(type: Scalar, value: string): unknown {
  if (type === 'bool') return value === 'true'
  if (type === 'string') return textOfBytes(value)
  if (type === 'bytes') return Buffer.from(value, 'latin1').toString('base64')
  const number = Number(value)
  if (Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))) return number
  return value
}

/** Whether a default of a shape is the value that Protobuf takes for an absent field anyway. */
export function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === null || value === false || value === 0 || value === ''
}

export const DECIMAL = 'confluent.type.Decimal'

/** Decimals as Confluent's tools have them: a message, and precision and scale beside the field. */
function decimalOf({ type, options }: FieldModel): Shape | undefined {
  if (type.kind !== 'message' || type.name !== DECIMAL) return undefined
  const found = new Map<string, number>()
  for (const { name, value } of options) {
    if (name === '(confluent.field_meta)') collectParams(value, found)
    if (name === '(confluent.field_meta).params') collectParam(value, found)
  }
  const [precision, scale] = [found.get('precision'), found.get('scale')]
  if (precision === undefined || scale === undefined) return undefined
  return { kind: 'decimal', precision, scale }
}

function collectParams(value: OptionValue, found: Map<string, number>): void {
  if (value.kind !== 'fields') return
  for (const [name, inner] of value.fields) {
    if (name !== 'params') continue
    for (const param of inner.kind === 'list' ? inner.values : [inner]) collectParam(param, found)
  }
}

function collectParam(param: OptionValue, found: Map<string, number>): void {
  if (param.kind !== 'fields') return
  const fields = new Map(param.fields)
  const [key, value] = [fields.get('key'), fields.get('value')]
  if (key?.kind === 'string' && value?.kind === 'string' && /^\d{1,4}$/.test(value.value)) {
    found.set(key.value, Number(value.value))
  }
}

export function decimalOptions(precision: number, scale: number): string {
  const params = `{ key: "precision", value: "${precision}" }, { key: "scale", value: "${scale}" }`
  return `(confluent.field_meta) = { params: [${params}] }`
}
