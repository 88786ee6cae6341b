import type { EnumModel, FieldModel, ProtobufModel, Scalar } from '../model.ts'
import { textOfBytes } from '../syntax/strings.ts'

/** What readers see of a field that is not there, as JSON; undefined where they see that it is not there. */
export function defaultOf(model: ProtobufModel, field: FieldModel): unknown {
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

/** The way back: whether a default of a shape is what Protobuf takes anyway. */
export function isZero(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === null || value === false || value === 0 || value === ''
}
