import { type Effort, MAX_TEXT_CHARS, SchemaFault } from '../fault.ts'
import type { Parsed, Source } from '../format.ts'
import { readJson } from '../json-text.ts'
import {
  type AvroType,
  type EnumType,
  type Field,
  type FixedType,
  isNamed,
  type Json,
  jsonText,
  type NamedType,
  quoted,
  type RecordType,
  shown
} from './model.ts'
import { ParseContext } from './parse-context.ts'
import { parseType } from './parse-types.ts'
import { isDefaultOf } from './values.ts'

export function parse(source: Source, effort: Effort): Parsed<AvroType> {
  const chars = source.dependencies.reduce((sum, { text }) => sum + text.length, source.text.length)
  if (chars > MAX_TEXT_CHARS) {
    throw new SchemaFault('too_complex', `The schema has more than ${MAX_TEXT_CHARS} characters with its references`)
  }
  const types = new Map<string, NamedType>()
  for (const { name, text } of source.dependencies) parseText(text, types, effort, name)
  const known = new Set(types.values())
  const model = parseText(source.text, types, effort)
  return {
    model,
    get canonical() {
      return canonicalText(model, known)
    }
  }
}

function parseText(text: string, types: Map<string, NamedType>, effort: Effort, dependency?: string): AvroType {
  const context = new ParseContext(effort, types, dependency)
  const type = parseType(context, readJson(text, effort, dependency), { pointer: '', namespace: '', depth: 0 })
  for (const { field, type: of, value, pointer } of context.defaults) {
    if (isDefaultOf(of, value, effort)) continue
    const what = of.kind === 'union' ? 'of no type of its union' : `no ${isNamed(of) ? quoted(of.name) : of.kind}`
    throw context.fault(
      `The default ${JSON.stringify(shown(value))} of the field ${quoted(field)} is ${what}; change the default or the type`,
      pointer
    )
  }
  return type
}

/**
 * The schema as JSON with everything that has a meaning to somebody, each in one way only: names are full names, and a
 * type is defined where it first comes up. `known` are the types that are not defined in the text.
 */
export function canonicalText(type: AvroType, known: Iterable<NamedType> = []): string {
  return new Canonical(known).type(type)
}

class Canonical {
  readonly #known: Set<NamedType>

  constructor(known: Iterable<NamedType>) {
    this.#known = new Set(known)
  }

  type(type: AvroType): string {
    switch (type.kind) {
      case 'union':
        return `[${type.branches.map((branch) => this.type(branch)).join()}]`
      case 'array':
        return `{"type":"array","items":${this.type(type.items)}${properties(type.properties)}}`
      case 'map':
        return `{"type":"map","values":${this.type(type.values)}${properties(type.properties)}}`
      case 'record':
      case 'enum':
      case 'fixed':
        return this.#named(type)
      default:
        return type.properties.size === 0 ? `"${type.kind}"` : `{"type":"${type.kind}"${properties(type.properties)}}`
    }
  }

  #named(type: NamedType): string {
    if (this.#known.has(type)) return `"${type.name}"`
    this.#known.add(type)
    const kind = type.kind === 'record' && type.isError ? 'error' : type.kind
    const names = `"type":"${kind}","name":"${type.name}"${doc(type)}${aliases(type)}`
    return `{${names}${this.#content(type)}${properties(type.properties)}}`
  }

  #content(type: RecordType | EnumType | FixedType): string {
    if (type.kind === 'record') return `,"fields":[${type.fields.map((field) => this.#field(field)).join()}]`
    if (type.kind === 'fixed') return `,"size":${type.size}`
    const byDefault = type.default === undefined ? '' : `,"default":"${type.default}"`
    return `,"symbols":${JSON.stringify(type.symbols)}${byDefault}`
  }

  #field(field: Field): string {
    const byDefault = field.default === undefined ? '' : `,"default":${jsonText(field.default)}`
    const order = field.order === 'ascending' ? '' : `,"order":"${field.order}"`
    const type = this.type(field.type)
    return `{"name":"${field.name}"${doc(field)}${aliases(field)},"type":${type}${byDefault}${order}${properties(field.properties)}}`
  }
}

function doc(of: { readonly doc?: string }): string {
  return of.doc === undefined ? '' : `,"doc":${JSON.stringify(of.doc)}`
}

function aliases(of: { readonly aliases: readonly string[] }): string {
  return of.aliases.length === 0 ? '' : `,"aliases":${JSON.stringify(of.aliases)}`
}

function properties(of: ReadonlyMap<string, Json>): string {
  if (of.size === 0) return ''
  const keys = [...of.keys()].sort()
  return keys.map((key) => `,${JSON.stringify(key)}:${jsonText(of.get(key) ?? null)}`).join('')
}
