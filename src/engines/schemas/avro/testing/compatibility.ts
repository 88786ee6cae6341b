import { createRequire } from 'node:module'
import type { Type as AvscType } from 'avsc'
import { Effort } from '../../fault.ts'
import type { Difference, Parsed } from '../../format.ts'
import * as avro from '../index.ts'
import type { AvroType } from '../model.ts'
import type { SchemaJson } from './any-schema.ts'

export const STEPS = 1_000_000

export function parsed(schema: unknown): Parsed<AvroType> {
  return avro.parse({ text: JSON.stringify(schema), dependencies: [] }, new Effort(STEPS))
}

export function modelOf(schema: unknown): AvroType {
  return parsed(schema).model
}

export function changes(written: unknown, read: unknown): Difference[] {
  return avro.differences(modelOf(written), modelOf(read), new Effort(STEPS))
}

/** Such as `/fields/a avro.field_removed`, for short expectations. */
export function changesInShort(written: unknown, read: unknown): string[] {
  return changes(written, read).map(({ path, rule }) => `${path} ${rule.code.slice('avro.'.length)}`)
}

function isReadable(written: unknown, read: unknown): boolean {
  return changes(written, read).every(({ rule }) => !rule.breaks)
}

export function isCompatible(old: string, next: string, mode: string): boolean {
  const isBackward = !mode.startsWith('FORWARD')
  const isForward = !mode.startsWith('BACKWARD')
  const [before, after] = [JSON.parse(old), JSON.parse(next)]
  return (!isBackward || isReadable(before, after)) && (!isForward || isReadable(after, before))
}

const { Type } = createRequire(import.meta.url)('avsc') as typeof import('avsc')

type Resolver = ReturnType<AvscType['createResolver']>
type Options = { ignoreNamespaces: boolean; registry: Record<string, unknown> }
const prototype = Type.prototype as { createResolver: (type: AvscType, options: Options) => Resolver }

/** What it makes of a value in a union, by a function that it would otherwise have compiled anew for every type. */
Object.assign(Type.prototype, {
  _createBranchConstructor(this: AvscType) {
    const name = this.branchName as string
    if (name === 'null') return null
    function Branch(this: Record<string, unknown>, value: unknown) {
      this[name] = value
    }
    function unwrap(this: Record<string, unknown>) {
      return this[name]
    }
    Object.assign(Branch.prototype, { unwrap, unwrapped: unwrap })
    return Object.assign(Branch, { type: this })
  }
})

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
