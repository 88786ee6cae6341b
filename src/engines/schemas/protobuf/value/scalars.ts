import { type Effort, MAX_DEPTH, SchemaFault } from '../../fault.ts'
import type { ValueFault } from '../../format.ts'
import type { ProtobufModel, Scalar } from '../model.ts'

const [INT32_MAX, UINT32_MAX] = [2n ** 31n - 1n, 2n ** 32n - 1n]
const [INT64_MAX, UINT64_MAX] = [2n ** 63n - 1n, 2n ** 64n - 1n]

type Limits = readonly [lowest: bigint, highest: bigint]
const INT32: Limits = [-INT32_MAX - 1n, INT32_MAX]
const UINT32: Limits = [0n, UINT32_MAX]
const INT64: Limits = [-INT64_MAX - 1n, INT64_MAX]
const UINT64: Limits = [0n, UINT64_MAX]

const INTEGERS: ReadonlyMap<Scalar, Limits> = new Map([
  ['int32', INT32],
  ['sint32', INT32],
  ['sfixed32', INT32],
  ['uint32', UINT32],
  ['fixed32', UINT32],
  ['int64', INT64],
  ['sint64', INT64],
  ['sfixed64', INT64],
  ['uint64', UINT64],
  ['fixed64', UINT64]
])

const WHOLE = /^-?(?:0|[1-9][0-9]{0,19})$/
const DECIMAL = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const SPECIAL: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity'])
const MAX_FLOAT = 3.4028235677973366e38
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/
const LONE_SURROGATE = /[\ud800-\udfff]/u

/** What is wrong with a value as JSON has it; undefined where nothing is. */
export function scalarProblem(type: Scalar, value: unknown): string | undefined {
  const limits = INTEGERS.get(type)
  if (limits !== undefined) return integerProblem(type, limits, value)
  const isRight = CHECKS[type as keyof typeof CHECKS](value)
  return isRight ? undefined : `must be ${WANTED[type as keyof typeof WANTED]}, not ${shown(value)}`
}

function integerProblem(type: Scalar, [lowest, highest]: Limits, value: unknown): string | undefined {
  const whole = wholeNumber(value)
  if (whole === undefined) return `must be a whole number (${type}), not ${shown(value)}`
  if (whole >= lowest && whole <= highest) return undefined
  return `must be between ${lowest} and ${highest} (${type}), not ${shown(value)}`
}

/** A whole number, as JSON number or as text. Large ones must be text, since JSON numbers are not exact. */
function wholeNumber(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined
  if (typeof value !== 'string') return undefined
  if (WHOLE.test(value)) return BigInt(value)
  const number = DECIMAL.test(value) ? Number(value) : Number.NaN
  return Number.isSafeInteger(number) ? BigInt(number) : undefined
}

function isNumber(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  return SPECIAL.has(value) || (typeof value === 'string' && DECIMAL.test(value) && Number.isFinite(Number(value)))
}

const CHECKS = {
  double: isNumber,
  float: (value: unknown) => isNumber(value) && (SPECIAL.has(value) || Math.abs(Number(value)) <= MAX_FLOAT),
  bool: (value: unknown) => typeof value === 'boolean',
  string: (value: unknown) => typeof value === 'string' && !LONE_SURROGATE.test(value),
  bytes: (value: unknown) => typeof value === 'string' && isBase64(value)
}

const WANTED = {
  double: 'a number, or "NaN", "Infinity" or "-Infinity"',
  float: 'a number that fits a float, or "NaN", "Infinity" or "-Infinity"',
  bool: 'true or false',
  string: 'a text',
  bytes: 'bytes in base64'
}

function isBase64(text: string): boolean {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const digits = text.length - padding
  return BASE64.test(text) && digits % 4 !== 1 && (padding === 0 || text.length % 4 === 0)
}

/** Keys are always text in JSON. */
export function keyProblem(type: Scalar, key: string): string | undefined {
  if (type === 'string') return undefined
  if (type === 'bool') return key === 'true' || key === 'false' ? undefined : 'must have true or false as keys'
  const problem = scalarProblem(type, key)
  return problem === undefined ? undefined : `has a key that ${problem}`
}

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

/** Allows any JSON that is not nested too deep. */
function checkDepth(inspection: Inspection, value: unknown, pointer: string): void {
  inspection.spend()
  if (typeof value !== 'object' || value === null) return
  inspection.nested(() => {
    for (const [key, inner] of Object.entries(value)) checkDepth(inspection, inner, pointerTo(pointer, key))
  })
}

const MAX_FAULTS = 100

/** Collects what is wrong with one value. */
export class Inspection {
  readonly model: ProtobufModel
  readonly faults: ValueFault[] = []
  readonly #effort: Effort
  #depth = 0

  constructor(model: ProtobufModel, effort: Effort) {
    this.model = model
    this.#effort = effort
  }

  add(pointer: string, message: string): void {
    if (this.faults.length < MAX_FAULTS) this.faults.push({ pointer, message })
  }

  spend(): void {
    this.#effort.spend()
  }

  nested(work: () => void): void {
    if (++this.#depth > MAX_DEPTH) {
      throw new SchemaFault('too_complex', `The value is nested more than ${MAX_DEPTH} deep; nest it less`)
    }
    work()
    this.#depth--
  }
}

export function pointerTo(pointer: string, key: string | number): string {
  return `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value as it can be shown in a sentence. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'an object'
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
