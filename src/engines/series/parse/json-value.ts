import type { TagType } from '../index.ts'
import { MAX_TEXT_BYTES } from './field-value.ts'
import { exactIfNeeded, isInRange } from './plain-value.ts'
import { typeConflict } from './tag-limits.ts'
import type { Refusal } from './tally.ts'
import { isKeepable } from './text.ts'
import { codeOf } from './type-codes.ts'

const ADVICE: Readonly<Record<TagType, string>> = {
  float: 'give a number',
  integer: 'give a whole number',
  unsigned: 'give a whole number from 0',
  boolean: 'give true or false',
  string: 'give a text in quotes'
}

/** A value in the form that batches take. */
export interface ColumnValue {
  readonly value: number
  readonly exact: string | bigint | undefined
}

/** The type that a tag gets from its first value; all JSON numbers are of one type. */
export function typeOfJson(value: unknown): TagType | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return 'float'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'string' : undefined
}

/** Refuses a value that no tag can take, of whatever type. */
export function checkJsonValue(value: unknown): Refusal | undefined {
  if (value === undefined) return { code: 'invalid_point', message: 'the point has no value' }
  if (typeOfJson(value) === undefined) {
    return {
      code: 'invalid_point',
      message: 'value must be a number, true, false or a text; leave out points without one'
    }
  }
  if ((typeof value === 'number' || typeof value === 'bigint') && !Number.isFinite(Number(value))) {
    return { code: 'value_out_of_range', message: 'value is out of the range of a double' }
  }
  if (typeof value !== 'string') return undefined
  if (!isKeepable(value)) return { code: 'invalid_text', message: 'value holds a NUL or half a character' }
  if (Buffer.byteLength(value) <= MAX_TEXT_BYTES) return undefined
  return { code: 'value_too_long', message: `value may have ${MAX_TEXT_BYTES} bytes, not ${Buffer.byteLength(value)}` }
}

/** A checked value, for a tag of this name and type. */
export function readJsonValue(value: unknown, name: string, type: TagType): ColumnValue | Refusal {
  if (type === 'string' && typeof value === 'string') return { value: Number.NaN, exact: value }
  if (type === 'boolean' && typeof value === 'boolean') return { value: value ? 1 : 0, exact: undefined }
  if (typeof value !== 'number' && typeof value !== 'bigint') return conflict(name, type, value)
  if (type === 'float') return { value: Number(value), exact: undefined }
  if (type !== 'integer' && type !== 'unsigned') return conflict(name, type, value)
  if (typeof value === 'number' && !Number.isInteger(value)) return conflict(name, type, value)
  const whole = BigInt(value)
  if (!isInRange(whole, codeOf(type))) {
    return { code: 'value_out_of_range', message: `value is out of the range of 64 bits, ${ADVICE[type]} of that size` }
  }
  return { value: Number(whole), exact: exactIfNeeded(whole) }
}

function conflict(name: string, type: TagType, value: unknown): Refusal {
  const given = typeof value === 'string' ? 'a text' : typeof value === 'boolean' ? 'a boolean' : 'a number'
  return typeConflict(name, type, `this point has ${given}`, ADVICE[type])
}
