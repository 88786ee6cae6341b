import { pick, type Random } from '../../../seeded-random.ts'
import { type Effort, SchemaFault } from '../../fault.ts'
import {
  type EnumModel,
  type FieldModel,
  type MessageModel,
  type ProtobufModel,
  rootMessage,
  type Scalar,
  type ValueType
} from '../model.ts'
import { WRAPPERS } from './scalars.ts'

/** Optional messages are left out below this depth, and all optional fields beyond this number of values. */
const [MAX_EXAMPLE_DEPTH, MAX_EXAMPLE_VALUES] = [4, 500]
/** A message that requires itself has no values. */
const MAX_REQUIRED_DEPTH = 50
const CHANCE_OF_OPTIONAL = 0.8

export function example(model: ProtobufModel, random: Random, effort: Effort): unknown {
  return new Examples(model, random, effort).message(rootMessage(model).fullName, 'value', 0)
}

class Examples {
  readonly #model: ProtobufModel
  readonly #random: Random
  readonly #effort: Effort
  #count = 0

  constructor(model: ProtobufModel, random: Random, effort: Effort) {
    this.#model = model
    this.#random = random
    this.#effort = effort
  }

  message(name: string, field: string, depth: number): unknown {
    const special = exampleSpecial(name, field, this.#random)
    if (special !== undefined) return special
    const message = this.#model.types.get(name) as MessageModel
    if (depth > MAX_REQUIRED_DEPTH) {
      throw new SchemaFault('unsupported', `${message.localName} requires itself, so that no value of it can be made`)
    }
    const chosen = new Map(message.oneofs.map((oneof) => [oneof.name, pick(this.#random, oneof.numbers)]))
    const value: Record<string, unknown> = {}
    for (const field of message.fields.values()) {
      const isChosen = field.oneof === undefined || chosen.get(field.oneof) === field.number
      if (isChosen && this.#isWanted(field, depth)) set(value, field.jsonName, this.#field(field, depth + 1))
    }
    return value
  }

  #isWanted({ label, type }: FieldModel, depth: number): boolean {
    if (label === 'required') return true
    if (this.#count >= MAX_EXAMPLE_VALUES) return false
    const holdsMessages = (type.kind === 'map' ? type.value : type).kind === 'message'
    if (holdsMessages && depth >= MAX_EXAMPLE_DEPTH) return false
    return this.#random() < CHANCE_OF_OPTIONAL
  }

  #field({ type, label, name }: FieldModel, depth: number): unknown {
    if (type.kind === 'map') {
      const entries: Record<string, unknown> = {}
      const count = this.#size()
      for (let index = 0; index < count; index++) {
        const key = type.key === 'string' ? `${name} ${index + 1}` : String(exampleScalar(type.key, name, this.#random))
        set(entries, key, this.#value(type.value, name, depth))
      }
      return entries
    }
    if (label !== 'repeated') return this.#value(type, name, depth)
    return Array.from({ length: this.#size() }, () => this.#value(type, name, depth))
  }

  #value(type: ValueType, field: string, depth: number): unknown {
    this.#effort.spend()
    this.#count++
    if (type.kind === 'message') return this.message(type.name, field, depth)
    if (type.kind === 'scalar') return exampleScalar(type.name, field, this.#random)
    if (type.name === 'google.protobuf.NullValue') return null
    return pick(this.#random, (this.#model.types.get(type.name) as EnumModel).values).name
  }

  #size(): number {
    return 1 + Math.floor(this.#random() * 3)
  }
}

/** Sets a property even where the schema calls it `__proto__`. */
function set(into: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true })
}

/** Small numbers, which fit every type, and 64 bits as text, which is how JSON has them. */
function exampleScalar(type: Scalar, field: string, random: Random): unknown {
  const number = Math.floor(random() * 1000)
  if (type === 'bool') return number % 2 === 0
  if (type === 'string') return `${field} ${number}`
  if (type === 'bytes') return Buffer.from(`${field} ${number}`).toString('base64')
  if (type === 'double' || type === 'float') return number / 8
  return type.endsWith('64') ? String(number) : number
}

const START_OF_2026_MS = Date.UTC(2026, 0, 1)
const YEAR_SECONDS = 365 * 86_400

type Make = (field: string, random: Random) => unknown

const MAKERS: ReadonlyMap<string, Make> = new Map<string, Make>([
  ['google.protobuf.Timestamp', (_, random) => timestamp(random)],
  ['google.protobuf.Duration', (_, random) => `${Math.floor(random() * 3600)}s`],
  ['google.protobuf.FieldMask', () => 'name'],
  ['google.protobuf.Struct', (field, random) => ({ [`${field} 1`]: exampleScalar('string', field, random) })],
  ['google.protobuf.ListValue', (field, random) => [exampleScalar('string', field, random)]],
  ['google.protobuf.Value', (field, random) => exampleScalar('string', field, random)],
  [
    'google.protobuf.Any',
    (field, random) => ({
      '@type': 'type.googleapis.com/google.protobuf.StringValue',
      value: exampleScalar('string', field, random)
    })
  ]
])

/** A value of a message that has a form of its own in JSON; undefined for all others. */
function exampleSpecial(name: string, field: string, random: Random): unknown {
  const wrapped = WRAPPERS.get(name)
  return wrapped === undefined ? MAKERS.get(name)?.(field, random) : exampleScalar(wrapped, field, random)
}

function timestamp(random: Random): string {
  const seconds = Math.floor(random() * YEAR_SECONDS)
  return `${new Date(START_OF_2026_MS + seconds * 1000).toISOString().slice(0, 19)}Z`
}
