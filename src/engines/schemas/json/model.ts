export const DRAFTS = ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12'] as const
export type Draft = (typeof DRAFTS)[number]

/** An object as `JSON.parse` made it, so it can have any name as its own: ask `Object.hasOwn`, or `own` below. */
export type SchemaNode = { readonly [keyword: string]: unknown }
export type JsonSchema = boolean | SchemaNode

export const REFERENCE_KEYWORDS = ['$ref', '$dynamicRef', '$recursiveRef'] as const
export type ReferenceKeyword = (typeof REFERENCE_KEYWORDS)[number]

/** A schema that was found to be one: its keywords have the types the draft asks for, its references lead somewhere. */
export interface JsonModel {
  /** The draft of the schema itself. A dependency can have another, which `draftOf` tells. */
  readonly draft: Draft
  readonly document: JsonSchema
  /** By the name that `$ref` uses. */
  readonly dependencies: ReadonlyMap<string, JsonSchema>
  /**
   * The schema that a reference leads to, whatever the document. The node is the very object that has the keyword, not
   * a copy. Undefined where the node is none of the schemas that were looked at when the document was read, such as
   * one within `default`.
   */
  target(node: SchemaNode, keyword?: ReferenceKeyword): JsonSchema | undefined
  /** Where a node stands in its document: a JSON pointer, and the dependency if it is not the schema itself. */
  placeOf(node: SchemaNode): { readonly pointer: string; readonly dependency?: string | undefined }
  draftOf(node: SchemaNode): Draft
}

/** What a keyword is set to; undefined where it is not. Never what an object has by its prototype. */
export function own(node: SchemaNode, keyword: string): unknown {
  return Object.hasOwn(node, keyword) ? node[keyword] : undefined
}

export function isNode(value: unknown): value is SchemaNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || isNode(value)
}

/** Compiles a pattern, with the Unicode flag if possible. Many patterns have escapes that this flag refuses. */
export function makePattern(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern)
  }
}

/** Whether a text is a regular expression. It is never run. */
export function isPattern(text: string): boolean {
  try {
    makePattern(text)
    return true
  } catch {
    return false
  }
}
