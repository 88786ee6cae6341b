import type { TSchema, Type as TypeBox } from 'typebox'

export type { Static, TSchema } from 'typebox'

/**
 * The few of TypeBox's builders that schemas here are made of. Its types are used as they are; its code is not, because
 * it comes in 370 files whose loading took a quarter of the start-up. A test holds each builder against the original.
 */
export const Type = {
  String: (options) => ({ type: 'string', ...options }),
  Integer: (options) => ({ type: 'integer', ...options }),
  Number: (options) => ({ type: 'number', ...options }),
  Boolean: (options) => ({ type: 'boolean', ...options }),
  Null: (options) => ({ type: 'null', ...options }),
  Unknown: (options) => ({ ...options }),
  Unsafe: (schema) => ({ ...(schema as object) }),
  Array: (items, options) => ({ type: 'array', items, ...options }),
  Union: (anyOf, options) => ({ anyOf, ...options }),
  Object: (properties, options) => ({ type: 'object', ...requiredOf(properties), properties, ...options }),
  Optional: (schema) => Object.defineProperty({ ...(schema as object) }, OPTIONAL, { value: true })
} as Builders as Pick<typeof TypeBox, keyof Builders>

/**
 * Marks an optional property for the object around it. Hidden, like TypeBox's own mark: it is no part of the schema.
 */
const OPTIONAL = '~optional'

function requiredOf(properties: Record<string, object>): { required?: string[] } {
  const required = Object.keys(properties).filter((name) => !Object.hasOwn(properties[name] as object, OPTIONAL))
  return required.length > 0 ? { required } : {}
}

interface Builders {
  String(options?: object): object
  Integer(options?: object): object
  Number(options?: object): object
  Boolean(options?: object): object
  Null(options?: object): object
  Unknown(options?: object): object
  Unsafe(schema: unknown): object
  Array(items: TSchema, options?: object): object
  Union(anyOf: TSchema[], options?: object): object
  Object(properties: Record<string, TSchema>, options?: object): object
  Optional(schema: unknown): object
}
