import type { Cursor } from './cursor.ts'

/** A struct of Thrift's compact protocol: its fields by their numbers. */
export type Struct = ReadonlyMap<number, Field>
type Field = number | Uint8Array | Struct | readonly Field[]

const STOP = 0
const TRUE = 1
const FALSE = 2
const BYTE = 3
const I16 = 4
const I64 = 6
const DOUBLE = 7
const BINARY = 8
const LIST = 9
const SET = 10
const STRUCT = 12

export function readStruct(cursor: Cursor): Struct {
  const fields = new Map<number, Field>()
  let id = 0
  for (;;) {
    const header = cursor.byte()
    const type = header & 0x0f
    if (type === STOP) return fields
    id = header >>> 4 === 0 ? cursor.zigzag() : id + (header >>> 4)
    // In a field, unlike in a list, the type of a boolean is already its value.
    fields.set(id, type === TRUE || type === FALSE ? Number(type === TRUE) : readValue(cursor, type))
  }
}

function readValue(cursor: Cursor, type: number): Field {
  if (type <= BYTE) return cursor.byte()
  if (type >= I16 && type <= I64) return cursor.zigzag()
  if (type === DOUBLE) return cursor.take(8)
  if (type === BINARY) return cursor.take(cursor.varint())
  if (type === LIST || type === SET) return readList(cursor)
  if (type === STRUCT) return readStruct(cursor)
  throw new Error(`it holds a field of type ${type}`)
}

function readList(cursor: Cursor): Field[] {
  const header = cursor.byte()
  const length = header >>> 4 === 15 ? cursor.varint() : header >>> 4
  if (length > cursor.end - cursor.pos) throw new Error('it ends too early')
  const list: Field[] = []
  for (let i = 0; i < length; i += 1) list.push(readValue(cursor, header & 0x0f))
  return list
}

export function numberIn(struct: Struct, id: number): number {
  const value = optionalNumberIn(struct, id)
  if (value === undefined) throw new Error(`it lacks field ${id}`)
  return value
}

export function optionalNumberIn(struct: Struct, id: number): number | undefined {
  const value = struct.get(id)
  if (value !== undefined && typeof value !== 'number') throw new Error(`its field ${id} is not a number`)
  return value
}

export function textIn(struct: Struct, id: number): string {
  const value = optionalBytesIn(struct, id)
  if (value === undefined) throw new Error(`it lacks field ${id}`)
  return Buffer.from(value).toString('utf8')
}

export function optionalBytesIn(struct: Struct, id: number): Uint8Array | undefined {
  const value = struct.get(id)
  if (value !== undefined && !(value instanceof Uint8Array)) throw new Error(`its field ${id} is not bytes`)
  return value
}

export function structIn(struct: Struct, id: number): Struct {
  const value = optionalStructIn(struct, id)
  if (value === undefined) throw new Error(`it lacks field ${id}`)
  return value
}

export function optionalStructIn(struct: Struct, id: number): Struct | undefined {
  const value = struct.get(id)
  if (value !== undefined && !(value instanceof Map)) throw new Error(`its field ${id} is not a structure`)
  return value
}

export function structsIn(struct: Struct, id: number): readonly Struct[] {
  const value = struct.get(id)
  if (!Array.isArray(value)) throw new Error(`it lacks field ${id}`)
  return value.map((element) => {
    if (!(element instanceof Map)) throw new Error(`its field ${id} is not a list of structures`)
    return element as Struct
  })
}
