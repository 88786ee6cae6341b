import { type Static, type TSchema, Type } from './type.ts'

/** Pieces that the schemas of every area are made of; each constraint is written once. */

export const Id = (prefix: string, of: string) =>
  Type.String({ maxLength: 64, pattern: `^${prefix}_[0-9a-z]{1,60}$`, description: `Identifier of the ${of}` })

export const Timestamp = (description: string) =>
  Type.String({ format: 'date-time', description: `${description}, ISO 8601 UTC with milliseconds` })

export const Name = (description: string) =>
  Type.String({ minLength: 1, maxLength: 200, pattern: '^\\S(.*\\S)?$', description })

export const Version = Type.Integer({
  minimum: 1,
  description: 'Counts the changes; also the `ETag`, for use in `If-Match`'
})

/** A value that may be null, written as one schema with two types: it serialises far faster than a union. */
export function Nullable<S extends TSchema>(schema: S) {
  const { type, enum: values } = schema as unknown as { type: string; enum?: readonly unknown[] }
  return Type.Unsafe<Static<S> | null>({ ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) })
}

/** A closed object: fields it does not know are refused by name. */
export function Closed<P extends Record<string, TSchema>>(
  properties: P,
  options: { $id?: string; description?: string } = {}
) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

export const OneOf = <const V extends readonly string[]>(values: V, description: string) =>
  Type.Unsafe<V[number]>({ type: 'string', enum: values, description })

/** Answer of operations that have none. */
export const Nothing = Type.Null()
