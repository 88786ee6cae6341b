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

/** What every tree has. */
export interface TreeBase {
  readonly id: number
  /** What turns the schemas within into trees. */
  readonly home: Trees
  /** The node that has the annotations; undefined for a part of a schema that was divided into several. */
  readonly node?: SchemaNode | undefined
}

export interface EmptyTree extends TreeBase {
  readonly kind: 'empty'
}
export interface FalseTree extends TreeBase {
  readonly kind: 'false'
}
export interface BooleanTree extends TreeBase {
  readonly kind: 'boolean'
}
export interface NullTree extends TreeBase {
  readonly kind: 'null'
}

export interface StringTree extends TreeBase {
  readonly kind: 'string'
  readonly isTyped: boolean
  readonly minLength: number
  readonly maxLength: number
  readonly pattern: string | undefined
  readonly format: string | undefined
  /** The keywords that describe what is encoded in the text, such as `contentMediaType`. */
  readonly content: ReadonlyMap<string, unknown>
}

export interface Bound {
  readonly value: number
  readonly isExclusive: boolean
}

export interface NumberTree extends TreeBase {
  readonly kind: 'number'
  readonly isTyped: boolean
  readonly isInteger: boolean
  readonly lower: Bound | undefined
  readonly upper: Bound | undefined
  readonly multipleOf: number | undefined
}

/** The schema for items or properties that no other keyword has looked at. */
export interface Unevaluated {
  readonly schema: JsonSchema
  /** The other keywords of the schema that may have looked at something; undefined where there are none. */
  readonly beside: Tree | undefined
}

export interface ArrayTree extends TreeBase {
  readonly kind: 'array'
  readonly isTyped: boolean
  /** The schemas of the first items, by position. */
  readonly prefix: readonly JsonSchema[]
  readonly prefixKeyword: string
  /** The schema of all further items. */
  readonly rest: JsonSchema
  /** The keyword that `rest` was taken from, for paths. */
  readonly restKeyword: string
  readonly isTuple: boolean
  readonly minItems: number
  readonly maxItems: number
  readonly isUnique: boolean
  readonly contains: { readonly schema: JsonSchema; readonly min: number; readonly max: number } | undefined
  readonly unevaluated: Unevaluated | undefined
}

export interface ObjectTree extends TreeBase {
  readonly kind: 'object'
  readonly isTyped: boolean
  readonly properties: ReadonlyMap<string, JsonSchema>
  readonly patterns: ReadonlyMap<string, JsonSchema>
  /** The schema of all other properties. */
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

export interface EnumTree extends TreeBase {
  readonly kind: 'enum'
  readonly isConst: boolean
  /** By their canonical text. */
  readonly values: ReadonlyMap<string, unknown>
}

export interface NotTree extends TreeBase {
  readonly kind: 'not'
  readonly schema: JsonSchema
}

export interface ConditionalTree extends TreeBase {
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

export interface CombinedTree extends TreeBase {
  readonly kind: 'combined'
  readonly criterion: 'allOf' | 'anyOf' | 'oneOf'
  readonly parts: readonly Part[]
  /** Where the parts stand below the schema, for what is said of all of them. */
  readonly path: string
}

/** The name of the type for people. */
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
