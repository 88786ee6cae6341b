import type { JsonSchema, SchemaNode } from './model.ts'
import type { Trees } from './translate.ts'

/**
 * A schema as what it asks of values, one kind of question at a time. Keywords without `type` ask only values of their
 * type (`isTyped` is false); whatever asks several things is `combined`.
 */
export type Tree =
  | EmptyTree
  | FalseTree
  | BooleanTree
  | NullTree
  | StringTree
  | NumberTree
  | ArrayTree
  | ObjectTree
  | EnumTree
  | NotTree
  | ConditionalTree
  | CombinedTree

interface Base {
  readonly id: number
  /** What turns the schemas within into trees. */
  readonly home: Trees
  /** Whose title and such these are; undefined for one part of several that a schema was divided into. */
  readonly node?: SchemaNode | undefined
}

export interface EmptyTree extends Base {
  readonly kind: 'empty'
}
export interface FalseTree extends Base {
  readonly kind: 'false'
}
export interface BooleanTree extends Base {
  readonly kind: 'boolean'
}
export interface NullTree extends Base {
  readonly kind: 'null'
}

export interface StringTree extends Base {
  readonly kind: 'string'
  readonly isTyped: boolean
  readonly minLength: number
  readonly maxLength: number
  readonly pattern: string | undefined
  readonly format: string | undefined
  /** What the text holds, by keyword. */
  readonly content: ReadonlyMap<string, unknown>
}

export interface Bound {
  readonly value: number
  readonly isExclusive: boolean
}

export interface NumberTree extends Base {
  readonly kind: 'number'
  readonly isTyped: boolean
  readonly isInteger: boolean
  readonly lower: Bound | undefined
  readonly upper: Bound | undefined
  readonly multipleOf: number | undefined
}

/** Of what no other keyword has looked at. */
export interface Unevaluated {
  readonly schema: JsonSchema
  /** The other keywords of the schema that may have looked at something; undefined where there are none. */
  readonly beside: Tree | undefined
}

export interface ArrayTree extends Base {
  readonly kind: 'array'
  readonly isTyped: boolean
  /** By position. */
  readonly prefix: readonly JsonSchema[]
  readonly prefixKeyword: string
  /** Of all items after those. */
  readonly rest: JsonSchema
  /** Which keyword says so, for paths. */
  readonly restKeyword: string
  readonly isTuple: boolean
  readonly minItems: number
  readonly maxItems: number
  readonly isUnique: boolean
  readonly contains: { readonly schema: JsonSchema; readonly min: number; readonly max: number } | undefined
  readonly unevaluated: Unevaluated | undefined
}

export interface ObjectTree extends Base {
  readonly kind: 'object'
  readonly isTyped: boolean
  readonly properties: ReadonlyMap<string, JsonSchema>
  readonly patterns: ReadonlyMap<string, JsonSchema>
  /** Of all other properties. */
  readonly rest: JsonSchema
  readonly restKeyword: string
  readonly required: ReadonlySet<string>
  readonly minProperties: number
  readonly maxProperties: number
  /** Whether they stand below keywords of their own rather than below `dependencies`. */
  readonly hasOwnDependents: boolean
  readonly dependentNames: ReadonlyMap<string, ReadonlySet<string>>
  readonly dependentSchemas: ReadonlyMap<string, JsonSchema>
  readonly propertyNames: JsonSchema
  readonly unevaluated: Unevaluated | undefined
}

export interface EnumTree extends Base {
  readonly kind: 'enum'
  readonly isConst: boolean
  /** By their canonical text. */
  readonly values: ReadonlyMap<string, unknown>
}

export interface NotTree extends Base {
  readonly kind: 'not'
  readonly schema: JsonSchema
}

export interface ConditionalTree extends Base {
  readonly kind: 'conditional'
  readonly condition: JsonSchema
  readonly yes: JsonSchema
  readonly no: JsonSchema
}

export interface Part {
  readonly tree: Tree
  /** Where it stands below the schema; empty where it is made of the schema's own keywords. */
  readonly path: string
  /** Its text, by which its like is found; undefined for one that is made of the schema's own keywords. */
  readonly text?: string
}

export interface CombinedTree extends Base {
  readonly kind: 'combined'
  readonly criterion: 'allOf' | 'anyOf' | 'oneOf'
  readonly parts: readonly Part[]
  /** Where the parts stand below the schema, for what is said of all of them. */
  readonly path: string
}

/** What people call it. */
export function typeName(tree: Tree): string {
  switch (tree.kind) {
    case 'empty':
      return 'anything'
    case 'false':
      return 'nothing'
    case 'number':
      return tree.isInteger ? 'integer' : 'number'
    case 'enum':
      return tree.isConst ? 'const' : 'enum'
    case 'conditional':
      return 'if'
    case 'combined':
      return tree.criterion === 'allOf'
        ? 'allOf'
        : [...new Set(tree.parts.map((part) => typeName(part.tree)))].join(' or ').slice(0, 100)
    default:
      return tree.kind
  }
}

export function typeNames(parts: readonly Part[]): string[] {
  return parts.slice(0, 20).map((part) => typeName(part.tree))
}
