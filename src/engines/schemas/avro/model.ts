import type { Json } from '../json-text.ts'

export type { Json, JsonObject } from '../json-text.ts'

export const PRIMITIVES = ['null', 'boolean', 'int', 'long', 'float', 'double', 'bytes', 'string'] as const
export type PrimitiveKind = (typeof PRIMITIVES)[number]

interface Annotated {
  /** What the specification gives no meaning to, and the attributes of logical types. */
  readonly properties: ReadonlyMap<string, Json>
  /** Undefined also where it does not suit the type: readers then ignore it. */
  readonly logical?: Logical
}

export interface Logical {
  readonly name: string
  /** Of decimals. */
  readonly precision?: number
  readonly scale?: number
}

interface Named extends Annotated {
  /** With its namespace. */
  readonly name: string
  /** With their namespaces. */
  readonly aliases: readonly string[]
  readonly doc?: string
}

export interface PrimitiveType extends Annotated {
  readonly kind: PrimitiveKind
}

export interface ArrayType extends Annotated {
  readonly kind: 'array'
  readonly items: AvroType
}

export interface MapType extends Annotated {
  readonly kind: 'map'
  readonly values: AvroType
}

export interface UnionType {
  readonly kind: 'union'
  readonly branches: readonly BranchType[]
}

export interface RecordType extends Named {
  readonly kind: 'record'
  /** Records of protocols that stand for errors; the data are the same. */
  readonly isError: boolean
  readonly fields: readonly Field[]
}

export interface Field {
  readonly name: string
  readonly aliases: readonly string[]
  readonly doc?: string
  readonly type: AvroType
  readonly order: 'ascending' | 'descending' | 'ignore'
  /** Undefined where there is none; null is a default. */
  readonly default?: Json
  readonly properties: ReadonlyMap<string, Json>
}

export interface EnumType extends Named {
  readonly kind: 'enum'
  readonly symbols: readonly string[]
  /** What readers take for symbols that they don't know. */
  readonly default?: string
}

export interface FixedType extends Named {
  readonly kind: 'fixed'
  readonly size: number
}

export type NamedType = RecordType | EnumType | FixedType
export type BranchType = PrimitiveType | ArrayType | MapType | NamedType
export type AvroType = BranchType | UnionType

export const NO_PROPERTIES: ReadonlyMap<string, Json> = new Map()

export function isNamed(type: AvroType): type is NamedType {
  return type.kind === 'record' || type.kind === 'enum' || type.kind === 'fixed'
}

/** What unions call it: its name, or its kind. */
export function branchName(type: BranchType): string {
  return isNamed(type) ? type.name : type.kind
}

export function shortName(fullName: string): string {
  return fullName.slice(fullName.lastIndexOf('.') + 1)
}

/**
 * Types that name each other can be walked far deeper than they are written. Whole catalogues of types stay far below
 * this, and the stack stands it.
 */
export const MAX_WALK_DEPTH = 1000
