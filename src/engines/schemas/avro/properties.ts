import { type Json, type JsonObject, NO_PROPERTIES } from './model.ts'

/** What an object says beside the keys that have a meaning of their own. */
export function propertiesOf(object: JsonObject, reserved: readonly string[]): ReadonlyMap<string, Json> {
  let properties: Map<string, Json> | undefined
  for (const [key, value] of object) {
    if (reserved.includes(key)) continue
    properties ??= new Map()
    properties.set(key, value)
  }
  return properties ?? NO_PROPERTIES
}
