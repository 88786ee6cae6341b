import { createRequire } from 'node:module'
import type { Random } from '../seeded-random.ts'
import type { Effort } from './fault.ts'

export const SCHEMA_TYPES = ['avro', 'json', 'protobuf'] as const
export type SchemaType = (typeof SCHEMA_TYPES)[number]

/** A schema as it was written, with everything it refers to. */
export interface Source {
  readonly text: string
  /** What it refers to, and what those refer to, in an order in which each comes after what it needs. */
  readonly dependencies: readonly Dependency[]
}

export interface Dependency {
  /** What the schema calls it: a full name (Avro), the address in `$ref` (JSON Schema), an import path (Protobuf). */
  readonly name: string
  readonly text: string
}

export interface Parsed<Model> {
  /**
   * Two texts of which this is the same are the same schema. Formatting and order without meaning are not in it. Made when it
   * is asked for, which most who parse a schema do not.
   */
  readonly canonical: string
  readonly model: Model
}

/**
 * One of the languages schemas are written in. All of it is computing: no waiting, no state, no effect. Whatever the
 * text, it answers or throws a `SchemaFault` within the effort it is given.
 */
export interface SchemaFormat<Model = unknown> {
  readonly type: SchemaType
  /** Every rule that `differences` can name, by code. */
  readonly rules: readonly Rule[]
  /** Throws `SchemaFault` where the text is not a schema or needs a dependency that is not there. */
  parse(source: Source, effort: Effort): Parsed<Model>
  /**
   * What became different for data that were written with one schema and are read with another. Complete: every place
   * is there, not only the first. Swapped, the same change is found at the same `path`.
   */
  differences(written: Model, read: Model, effort: Effort): Difference[]
  /** What is wrong with a value; empty where it fits the schema. The value is as JSON has it. */
  faultsOf(model: Model, value: unknown, effort: Effort): ValueFault[]
  /** A value that fits the schema; the same for the same `random`. Throws `SchemaFault` where it finds none. */
  example(model: Model, random: Random, effort: Effort): unknown
  /** What the schema says of data, without the language it says it in. */
  toShape(model: Model, effort: Effort): Converted<Shape>
  /** The text of a schema in this language that says the same as the shape. */
  fromShape(shape: Shape): Converted<string>
}

/** One kind of change and what follows from it. Its code never changes its meaning. */
export interface Rule {
  readonly code: `${SchemaType}.${string}`
  /** Whether data written with one schema can then be refused, or read wrongly, with the other. */
  readonly breaks: boolean
  /** What has to hold for a change that does not break; undefined where nothing has to. */
  readonly assumes?: string
  /** The sentence about the change, with names in braces that `message` fills in. */
  readonly sentence: string
  /** The sentence about one difference. */
  message(difference: Difference, who: Who): string
}

/** What the two sides are called, such as `version 3`. */
export interface Who {
  readonly writer: string
  readonly reader: string
}

export interface Difference {
  readonly rule: Rule
  /** Pointer into the schema, by names rather than positions where there are names. */
  readonly path: string
  /** What changed, as it is in the written schema; undefined where that lacks it. A JSON value. */
  readonly before?: unknown
  /** What changed, as it is in the read schema. */
  readonly after?: unknown
}

export interface ValueFault {
  /** JSON pointer into the value. */
  readonly pointer: string
  readonly message: string
}

export interface Converted<T> {
  readonly result: T
  /** What the result does not say, with the place in the schema where it was said. */
  readonly lost: readonly Loss[]
}

export interface Loss {
  readonly path: string
  readonly message: string
}

/**
 * What a schema says of data, without the language it says it in: the common ground of the three formats, and what is
 * found out about data that have no schema yet.
 */
export type Shape =
  | { readonly kind: 'any' }
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer'; readonly bits: 32 | 64; readonly signed: boolean }
  | { readonly kind: 'number'; readonly bits: 32 | 64 }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | { readonly kind: 'string'; readonly format?: StringFormat }
  /** Without a size: of any length. */
  | { readonly kind: 'bytes'; readonly size?: number }
  | { readonly kind: 'enum'; readonly name?: string; readonly values: readonly string[] }
  | { readonly kind: 'list'; readonly items: Shape }
  /** The keys of maps are always strings. */
  | { readonly kind: 'map'; readonly values: Shape }
  | RecordShape
  | { readonly kind: 'union'; readonly options: readonly Shape[] }
  /** An enclosing record, by its name. */
  | { readonly kind: 'recursion'; readonly name: string }

export type StringFormat = 'date' | 'time' | 'date-time' | 'uuid' | 'email' | 'uri'

export interface RecordShape {
  readonly kind: 'record'
  /** With its namespace, divided by dots, where it has one. */
  readonly name?: string
  readonly doc?: string
  readonly fields: readonly FieldShape[]
  /** Whether values may have fields beside these. */
  readonly open?: boolean
}

export interface FieldShape {
  readonly name: string
  readonly doc?: string
  /** A field that may be null has a union with null. */
  readonly shape: Shape
  /** Whether a value may lack the field. */
  readonly optional: boolean
  /** As JSON; undefined where there is none. */
  readonly default?: unknown
}

/** What the `index.ts` of a format exports. */
interface FormatParts extends Omit<SchemaFormat, 'type' | 'rules'> {
  readonly RULES: Readonly<Record<string, Rule>>
}

const require = createRequire(import.meta.url)
const LOADERS = {
  avro: () => require('./avro/index.ts') as typeof import('./avro/index.ts'),
  json: () => require('./json/index.ts') as typeof import('./json/index.ts'),
  protobuf: () => require('./protobuf/index.ts') as typeof import('./protobuf/index.ts')
} satisfies Record<SchemaType, () => FormatParts>
const loaded = new Map<SchemaType, SchemaFormat>()

/**
 * A format, loaded when it is first asked for: each is many files, and who uses one need not wait for three.
 * Models never leave the format that made them, so they need no type outside of it.
 */
export function formatOf(type: SchemaType): SchemaFormat {
  const known = loaded.get(type)
  if (known !== undefined) return known
  const { RULES, ...parts }: FormatParts = LOADERS[type]()
  const format = { type, rules: Object.values(RULES), ...parts }
  loaded.set(type, format)
  return format
}
