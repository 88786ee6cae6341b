import type { Effort } from '../../effort.ts'
import type { ValueFault } from '../../format.ts'
import type { EnumModel, FieldModel, FieldType, ProtobufModel, ValueType } from '../model.ts'
import { checkMessage } from './check-message.ts'
import { Inspection, isObject, pointerTo, shown } from './inspection.ts'
import { rootMessage } from './root-message.ts'
import { keyProblem, scalarProblem } from './scalars.ts'

/** By the mapping of Protobuf to JSON. */
export function faultsOf(model: ProtobufModel, value: unknown, effort: Effort): ValueFault[] {
  const inspection = new Inspection(model, effort)
  checkMessage(inspection, rootMessage(model).fullName, value, '')
  return inspection.faults
}

export function checkField(inspection: Inspection, field: FieldModel, value: unknown, pointer: string): void {
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

/** Names and numbers. */
function knownOf(enumeration: EnumModel): ReadonlySet<unknown> {
  const known = knownValues.get(enumeration)
  if (known !== undefined) return known
  const made = new Set(enumeration.values.flatMap(({ name, number }): unknown[] => [name, number]))
  knownValues.set(enumeration, made)
  return made
}
