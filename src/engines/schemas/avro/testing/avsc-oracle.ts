import { createRequire } from 'node:module'
import type { Type as AvscType } from 'avsc'
import type { SchemaJson } from './any-schema.ts'

const { Type } = createRequire(import.meta.url)('avsc') as typeof import('avsc')

type Resolver = ReturnType<AvscType['createResolver']>
type Options = { ignoreNamespaces: boolean; registry: Record<string, unknown> }
const prototype = Type.prototype as { createResolver: (type: AvscType, options: Options) => Resolver }

export function avscType(schema: SchemaJson): AvscType {
  return Type.forSchema(schema as Parameters<typeof Type.forSchema>[0], { wrapUnions: true })
}

/** How avsc reads data of one schema with another; undefined where it can't. */
export function avscResolver(written: AvscType, read: AvscType): Resolver | undefined {
  const original = prototype.createResolver
  // It keeps what it made for a branch of a union that then turned out not to fit, and takes it for good further on.
  prototype.createResolver = function (type, options) {
    const before = new Set(Object.keys(options.registry))
    try {
      return original.call(this, type, options)
    } catch (error) {
      for (const key of Object.keys(options.registry)) if (!before.has(key)) delete options.registry[key]
      throw error
    }
  }
  try {
    return prototype.createResolver.call(read, written, { ignoreNamespaces: true, registry: {} })
  } catch {
    return undefined
  } finally {
    prototype.createResolver = original
  }
}
