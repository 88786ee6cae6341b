import type { Scalar } from '../model.ts'
import { type Inspection, isObject, pointerTo, shown } from './inspection.ts'

// Messages that look different in JSON than their fields say.

/** Each holds one value, and stands for it. */
export const WRAPPERS: ReadonlyMap<string, Scalar> = new Map([
  ['google.protobuf.DoubleValue', 'double'],
  ['google.protobuf.FloatValue', 'float'],
  ['google.protobuf.Int64Value', 'int64'],
  ['google.protobuf.UInt64Value', 'uint64'],
  ['google.protobuf.Int32Value', 'int32'],
  ['google.protobuf.UInt32Value', 'uint32'],
  ['google.protobuf.BoolValue', 'bool'],
  ['google.protobuf.StringValue', 'string'],
  ['google.protobuf.BytesValue', 'bytes']
])

type Check = (inspection: Inspection, value: unknown, pointer: string) => void

export const SPECIAL_CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['google.protobuf.Timestamp', checkTimestamp],
  ['google.protobuf.Duration', checkDuration],
  ['google.protobuf.FieldMask', checkFieldMask],
  [
    'google.protobuf.Struct',
    (inspection, value, pointer) => {
      if (isObject(value)) checkDepth(inspection, value, pointer)
      else inspection.add(pointer, `must be an object, not ${shown(value)}`)
    }
  ],
  [
    'google.protobuf.ListValue',
    (inspection, value, pointer) => {
      if (Array.isArray(value)) checkDepth(inspection, value, pointer)
      else inspection.add(pointer, `must be a list, not ${shown(value)}`)
    }
  ],
  ['google.protobuf.Value', checkDepth]
])

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/

function checkTimestamp(inspection: Inspection, value: unknown, pointer: string): void {
  const parts = typeof value === 'string' ? TIMESTAMP.exec(value) : null
  // Date takes the 31st of February for March, so the day is looked at as well.
  const isRight = parts !== null && parts[1] !== '0000' && isDay(parts) && !Number.isNaN(Date.parse(value as string))
  if (!isRight) inspection.add(pointer, `must be a time such as "2026-01-31T12:00:00Z", not ${shown(value)}`)
}

function isDay(parts: readonly string[]): boolean {
  const [year, month, day] = parts.slice(1, 4).map(Number) as [number, number, number]
  return new Date(Date.UTC(year < 100 ? year + 400 : year, month - 1, day)).getUTCDate() === day
}

const MAX_DURATION_SECONDS = 315_576_000_000
function checkDuration(inspection: Inspection, value: unknown, pointer: string): void {
  const seconds = typeof value === 'string' ? /^(-?\d{1,12})(?:\.\d{1,9})?s$/.exec(value)?.[1] : undefined
  if (seconds !== undefined && Math.abs(Number(seconds)) <= MAX_DURATION_SECONDS) return
  inspection.add(pointer, `must be a duration in seconds such as "1.5s", not ${shown(value)}`)
}

function checkFieldMask(inspection: Inspection, value: unknown, pointer: string): void {
  const isRight =
    typeof value === 'string' && /^(?:[A-Za-z][A-Za-z0-9]*(?:[.,]|$))*$/.test(value) && !/[.,]$/.test(value)
  if (!isRight) inspection.add(pointer, `must be paths such as "user.name,state", not ${shown(value)}`)
}

/** Any JSON will do, as long as it ends somewhere. */
function checkDepth(inspection: Inspection, value: unknown, pointer: string): void {
  inspection.spend()
  if (typeof value !== 'object' || value === null) return
  inspection.nested(() => {
    for (const [key, inner] of Object.entries(value)) checkDepth(inspection, inner, pointerTo(pointer, key))
  })
}
