import { type Effort, SchemaFault } from '../fault.ts'
import {
  type AvroType,
  fullNameOf,
  isFullName,
  isPrimitive,
  type Json,
  type JsonObject,
  NAME_HELP,
  type NamedType,
  quoted
} from './model.ts'

/** Where in a text something stands, and what is around it. */
export interface Spot {
  readonly pointer: string
  /** The namespace of the enclosing type; empty for none. */
  readonly namespace: string
  readonly depth: number
}

/** What is known while a text is parsed. */
export class ParseContext {
  readonly effort: Effort
  /** By full name; those of dependencies too. */
  readonly types: Map<string, NamedType>
  /** Defaults to check when all types are complete, since the type of a default may still be being parsed. */
  readonly defaults: {
    readonly field: string
    readonly type: AvroType
    readonly value: Json
    readonly pointer: string
  }[] = []
  readonly #dependency: string | undefined

  constructor(effort: Effort, types: Map<string, NamedType>, dependency: string | undefined) {
    this.effort = effort
    this.types = types
    this.#dependency = dependency
  }

  fault(message: string, pointer: string): SchemaFault {
    return new SchemaFault('invalid', message, { pointer, dependency: this.#dependency })
  }

  tooDeep(pointer: string): SchemaFault {
    const message = 'The schema is nested too deep; name inner types and refer to them'
    return new SchemaFault('too_complex', message, { pointer, dependency: this.#dependency })
  }

  define(type: NamedType, pointer: string): void {
    if (isPrimitive(type.name)) {
      throw this.fault(`${quoted(type.name)} is a type of Avro itself; choose another name or add a namespace`, pointer)
    }
    if (this.types.has(type.name)) {
      throw this.fault(`${quoted(type.name)} is defined twice; rename one, or refer to the first by its name`, pointer)
    }
    this.types.set(type.name, type)
  }

  find(name: string, { pointer, namespace }: Spot): NamedType {
    const full = fullNameOf(name, namespace)
    if (!isFullName(full)) throw this.fault(`${quoted(name)} is no name of a type; ${NAME_HELP}`, pointer)
    const found = this.types.get(full) ?? this.types.get(name)
    if (found !== undefined) return found
    throw new SchemaFault(
      'missing_reference',
      `There is no type ${quoted(full)}; define it before it is used, or add a reference to the schema that does`,
      { pointer, dependency: this.#dependency }
    )
  }

  /** A string, or undefined where the key is not there. */
  text(object: JsonObject, key: string, pointer: string): string | undefined {
    const value = object.get(key)
    if (value === undefined || typeof value === 'string') return value
    throw this.fault(`${quoted(key)} must be a string`, `${pointer}/${key}`)
  }

  texts(object: JsonObject, key: string, pointer: string): readonly string[] {
    const value = object.get(key) ?? []
    if (!Array.isArray(value)) throw this.fault(`${quoted(key)} must be an array of strings`, `${pointer}/${key}`)
    this.effort.spend(value.length)
    const wrong = value.findIndex((text) => typeof text !== 'string')
    if (wrong !== -1) throw this.fault(`${quoted(key)} must hold strings only`, `${pointer}/${key}/${wrong}`)
    return value
  }
}
