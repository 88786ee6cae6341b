import { createRequire } from 'node:module'
import type { SchemaFormat, SchemaType } from './format.ts'

const require = createRequire(import.meta.url)
const loaded = new Map<SchemaType, SchemaFormat>()

/**
 * A format, loaded when it is first asked for: each is many files, and who uses one need not wait for three.
 * Models never leave the format that made them, so they need no type outside of it.
 */
export function formatOf(type: SchemaType): SchemaFormat {
  const known = loaded.get(type)
  if (known !== undefined) return known
  const format = (require(`./${type}/index.ts`) as Record<SchemaType, SchemaFormat>)[type]
  loaded.set(type, format)
  return format
}
