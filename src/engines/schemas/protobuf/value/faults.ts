import type { Effort } from '../../fault.ts'
import type { ValueFault } from '../../format.ts'
import {
  type EnumModel,
  type FieldModel,
  type FieldType,
  type MessageModel,
  type ProtobufModel,
  rootMessage,
  type ValueType
} from '../model.ts'
import {
  Inspection,
  isObject,
  keyProblem,
  pointerTo,
  SPECIAL_CHECKS,
  scalarProblem,
  shown,
  WRAPPERS
} from './scalars.ts'

/** Checks a value against the mapping of Protobuf to JSON. */
export function faultsOf(model: ProtobufModel, value: unknown, effort: Effort): ValueFault[] {
  const inspection = new Inspection(model, effort)
  checkMessage(inspection, rootMessage(model).fullName, value, '')
  return inspection.faults
}

function checkField(inspection: Inspection, field: FieldModel, value: unknown, pointer: string): void {
  const { type } = field
  if (type.kind === 'map') {
    if (isObject(value)) checkMap(inspection, type, value, pointer)
    else inspection.add(pointer, `must be an object, not ${shown(value)}`)
  } else if (field.label === 'repeated') {
    if (Array.isArray(value))
      value.forEach((inner, index) => void checkValue(inspection, type, inner, pointerTo(pointer, index)))
    else inspection.add(pointer, `must be a list, not ${shown(value)}`)
  } else checkValue(inspection, type, value, pointer)
}

function checkMap(
  inspection: Inspection,
  type: FieldType & { readonly kind: 'map' },
  value: Readonly<Record<string, unknown>>,
  pointer: string
): void {
  for (const [key, inner] of Object.entries(value)) {
    const problem = keyProblem(type.key, key)
    if (problem !== undefined) inspection.add(pointer, problem)
    checkValue(inspection, type.value, inner, pointerTo(pointer, key))
  }
}

function checkValue(inspection: Inspection, type: ValueType, value: unknown, pointer: string): void {
  inspection.spend()
  if (type.kind === 'message') {
    inspection.nested(() => void checkMessage(inspection, type.name, value, pointer))
    return
  }
  const problem = type.kind === 'scalar' ? scalarProblem(type.name, value) : enumProblem(inspection, type.name, value)
  if (problem !== undefined) inspection.add(pointer, problem)
}

function enumProblem({ model }: Inspection, name: string, value: unknown): string | undefined {
  if (name === 'google.protobuf.NullValue' && value === null) return undefined
  const enumeration = model.types.get(name) as EnumModel
  const known = knownOf(enumeration)
  if (known.has(value)) return undefined
  if (typeof value === 'number' && enumeration.isOpen) return scalarProblem('int32', value)
  const names = enumeration.values.slice(0, MAX_NAMES_SHOWN).map((one) => one.name)
  return `must be a value of ${enumeration.localName}, such as ${names.join(', ')}, not ${shown(value)}`
}

const MAX_NAMES_SHOWN = 10
const knownValues = new WeakMap<EnumModel, ReadonlySet<unknown>>()

/** The names and numbers of an enum, both of which JSON may have. */
function knownOf(enumeration: EnumModel): ReadonlySet<unknown> {
  const known = knownValues.get(enumeration)
  if (known !== undefined) return known
  const made = new Set(enumeration.values.flatMap(({ name, number }): unknown[] => [name, number]))
  knownValues.set(enumeration, made)
  return made
}

function checkMessage(inspection: Inspection, name: string, value: unknown, pointer: string): void {
  const wrapped = WRAPPERS.get(name)
  const special = SPECIAL_CHECKS.get(name)
  if (special !== undefined) special(inspection, value, pointer)
  else if (wrapped !== undefined) {
    const problem = scalarProblem(wrapped, value)
    if (problem !== undefined) inspection.add(pointer, problem)
  } else if (!isObject(value)) inspection.add(pointer, `must be an object, not ${shown(value)}`)
  else if (name === 'google.protobuf.Any') checkAny(inspection, value, pointer)
  else checkFields(inspection, inspection.model.types.get(name) as MessageModel, value, pointer)
}

type Fields = Readonly<Record<string, unknown>>

function checkFields(inspection: Inspection, message: MessageModel, value: Fields, pointer: string): void {
  const byName = namesOf(message)
  const set = new Map<FieldModel, string>()
  for (const [key, inner] of Object.entries(value)) {
    const field = byName.get(key)
    const at = pointerTo(pointer, key)
    if (field === undefined) inspection.add(at, `is not a field of ${message.localName}`)
    else if (isAbsent(field, inner)) continue
    else if (set.has(field)) inspection.add(at, `is the same field as ${set.get(field)}; leave one`)
    else {
      set.set(field, key)
      checkField(inspection, field, inner, at)
    }
  }
  checkOneofs(inspection, message, set, pointer)
  for (const field of message.fields.values()) {
    if (field.label === 'required' && !set.has(field)) inspection.add(pointer, `must have the field ${field.name}`)
  }
}

/** Null is absence, but for the types that have null for a value. */
function isAbsent({ type }: FieldModel, value: unknown): boolean {
  if (value !== null) return false
  return type.kind === 'map' || (type.name !== 'google.protobuf.Value' && type.name !== 'google.protobuf.NullValue')
}

function checkOneofs(
  inspection: Inspection,
  message: MessageModel,
  set: ReadonlyMap<FieldModel, string>,
  pointer: string
): void {
  for (const { name, numbers } of message.oneofs) {
    const chosen = numbers.map((number) => message.fields.get(number) as FieldModel).filter((field) => set.has(field))
    if (chosen.length < 2) continue
    const names = chosen.map((field) => set.get(field)).join(', ')
    inspection.add(pointer, `must have at most one field of the oneof ${name}, not ${names}`)
  }
}

/** A message says in `@type` what it is. Of types that the schema does not have nothing is known. */
function checkAny(inspection: Inspection, value: Fields, pointer: string): void {
  const { '@type': type, ...rest } = value
  if (type === undefined && Object.keys(rest).length === 0) return
  if (typeof type !== 'string' || !type.includes('/')) {
    inspection.add(pointer, 'must have the address of its type as "@type", such as "type.googleapis.com/shop.Order"')
    return
  }
  const name = type.slice(type.lastIndexOf('/') + 1)
  const isSpecial = SPECIAL_CHECKS.has(name) || WRAPPERS.has(name)
  if (isSpecial) checkMessage(inspection, name, rest.value, pointerTo(pointer, 'value'))
  else if (inspection.model.types.get(name)?.kind === 'message') {
    inspection.nested(() => void checkMessage(inspection, name, rest, pointer))
  }
}

const names = new WeakMap<MessageModel, ReadonlyMap<string, FieldModel>>()

/** The fields by name. JSON may have the name in the `.proto` text or the JSON name. */
function namesOf(message: MessageModel): ReadonlyMap<string, FieldModel> {
  const known = names.get(message)
  if (known !== undefined) return known
  const byName = new Map<string, FieldModel>()
  for (const field of message.fields.values()) byName.set(field.name, field)
  for (const field of message.fields.values()) byName.set(field.jsonName, field)
  names.set(message, byName)
  return byName
}
