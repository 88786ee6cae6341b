import { createRequire } from 'node:module'

/** Whether two JSON values are equal, whatever their fields are called. */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((value, i) => jsonEqual(value, b[i]))
    )
  }
  const names = Object.keys(a)
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && jsonEqual(Reflect.get(a, name), Reflect.get(b, name)))
  )
}

/**
 * Makes Ajv compare values with `jsonEqual`. Its own function takes fields for methods: it throws where a value has a
 * field `valueOf` or `toString`, and finds equal values with a field `constructor` different. Ajv has no setting for
 * it.
 */
export function compareAsJson(): void {
  const module = createRequire(import.meta.url)('ajv/dist/runtime/equal.js') as { default: unknown }
  module.default = Object.assign(jsonEqual, { code: 'jsonEqual' })
}
