import type { FieldModel, MessageModel } from '../model.ts'
import { checkField } from './check-value.ts'
import { type Inspection, isObject, pointerTo, shown } from './inspection.ts'
import { scalarProblem } from './scalars.ts'
import { SPECIAL_CHECKS, WRAPPERS } from './well-known.ts'

export function checkMessage(inspection: Inspection, name: string, value: unknown, pointer: string): void {
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

/** Both the name of the text and that of JSON are taken. */
function namesOf(message: MessageModel): ReadonlyMap<string, FieldModel> {
  const known = names.get(message)
  if (known !== undefined) return known
  const byName = new Map<string, FieldModel>()
  for (const field of message.fields.values()) byName.set(field.name, field)
  for (const field of message.fields.values()) byName.set(field.jsonName, field)
  names.set(message, byName)
  return byName
}
