import { type JsonSchema, own, type SchemaNode } from '../model.ts'

/**
 * A schema with all it refers to as one document, said in the words of draft 2020-12: every `$ref` is `#/$defs/<name>`,
 * there are no identifiers, and nothing the schema's own draft does not know.
 */
export interface PlainSchema {
  readonly document: SchemaNode
  readonly definitions: ReadonlyMap<string, JsonSchema>
  /** How many nodes there are. */
  readonly size: number
  /** Where a node, or one of its keywords, was taken from; undefined where it stands in no schema. */
  placeOf(node: SchemaNode, keyword?: string): PlainPlace | undefined
  /** Has a node that was made of another stand for it. */
  copyOf(node: SchemaNode, copy: SchemaNode): SchemaNode
}

export interface PlainPlace {
  readonly pointer: string
  readonly dependency: string | undefined
}

export function textOfPlace({ pointer, dependency }: PlainPlace): string {
  return dependency === undefined ? pointer : `${dependency}#${pointer}`
}

export const DEFINITION_PREFIX = '#/$defs/'

/** The schema that `$ref` of a plain node leads to. */
export function targetOf(plain: PlainSchema, node: SchemaNode): JsonSchema | undefined {
  const reference = own(node, '$ref')
  return typeof reference === 'string' ? plain.definitions.get(reference.slice(DEFINITION_PREFIX.length)) : undefined
}
