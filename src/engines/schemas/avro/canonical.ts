import {
  type AvroType,
  type EnumType,
  type Field,
  type FixedType,
  type Json,
  jsonText,
  type NamedType,
  type RecordType
} from './model.ts'

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
