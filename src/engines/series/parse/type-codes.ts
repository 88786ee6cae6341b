import type { TagType } from '../index.ts'

/** Types as numbers, for the tables that bytes are looked up in. */
export const FLOAT = 0
export const INTEGER = 1
export const UNSIGNED = 2
export const BOOLEAN = 3
export const STRING = 4

export type TypeCode = typeof FLOAT | typeof INTEGER | typeof UNSIGNED | typeof BOOLEAN | typeof STRING

const CODES: Readonly<Record<TagType, TypeCode>> = {
  float: FLOAT,
  integer: INTEGER,
  unsigned: UNSIGNED,
  boolean: BOOLEAN,
  string: STRING
}
const TYPES = Object.keys(CODES) as readonly TagType[]

export function codeOf(type: TagType): TypeCode {
  return CODES[type]
}

export function typeOf(code: TypeCode): TagType {
  return TYPES[code] as TagType
}
