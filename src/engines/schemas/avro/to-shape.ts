import type { Effort } from '../effort.ts'
import { SchemaFault } from '../fault.ts'
import type { Converted, Loss } from '../format.ts'
import type { FieldShape, Shape } from '../shape.ts'
import { toPlain } from './json-values.ts'
import { isLogicalAttribute } from './logical.ts'
import { type AvroType, branchName, type Field, isNamed, MAX_WALK_DEPTH, type RecordType, shortName } from './model.ts'
import { isPlainJson } from './plain-default.ts'
import { logicalShape, primitiveShape } from './shape-leaves.ts'

const MAX_MESSAGE_CHARS = 300

export function toShape(type: AvroType, effort: Effort): Converted<Shape> {
  const conversion = new ToShape(effort)
  return { result: conversion.type(type, '', 0), lost: conversion.lost }
}

class ToShape {
  readonly lost: Loss[] = []
  readonly #effort: Effort
  readonly #around = new Set<RecordType>()

  constructor(effort: Effort) {
    this.#effort = effort
  }

  type(type: AvroType, path: string, depth: number): Shape {
    this.#effort.spend()
    if (depth > MAX_WALK_DEPTH) throw new SchemaFault('too_complex', 'Types refer to each other in too long a chain')
    if (type.kind === 'union') {
      const token = (name: string) => `${path}/${shortName(name)}`
      return { kind: 'union', options: type.branches.map((one) => this.type(one, token(branchName(one)), depth + 1)) }
    }
    if (type.kind === 'record' && this.#around.has(type)) return { kind: 'recursion', name: type.name }
    this.#loseDetails(type, path)
    const logical = type.logical && logicalShape(type.logical, type.kind)
    if (logical?.loss !== undefined) this.#lose(path, logical.loss)
    if (logical?.shape !== undefined) return logical.shape
    switch (type.kind) {
      case 'array':
        return { kind: 'list', items: this.type(type.items, `${path}/items`, depth + 1) }
      case 'map':
        return { kind: 'map', values: this.type(type.values, `${path}/values`, depth + 1) }
      case 'enum':
        return { kind: 'enum', name: type.name, values: type.symbols }
      case 'fixed':
        this.#lose(path, `the name ${type.name} of the fixed type`)
        return { kind: 'bytes', size: type.size }
      case 'record':
        return this.#record(type, path, depth)
      default:
        return primitiveShape(type.kind)
    }
  }

  #record(type: RecordType, path: string, depth: number): Shape {
    if (type.isError) this.#lose(path, `that ${type.name} is an error`)
    this.#around.add(type)
    const fields = type.fields.map((field) => this.#field(field, `${path}/fields/${field.name}`, depth + 1))
    this.#around.delete(type)
    return { kind: 'record', name: type.name, ...(type.doc !== undefined && { doc: type.doc }), fields }
  }

  #field(field: Field, path: string, depth: number): FieldShape {
    if (field.aliases.length > 0) this.#lose(path, `the aliases of the field ${field.name}`)
    if (field.order !== 'ascending') this.#lose(path, `the sort order of the field ${field.name}`)
    if (field.properties.size > 0) this.#lose(path, `the properties ${[...field.properties.keys()].sort().join(', ')}`)
    return {
      name: field.name,
      ...(field.doc !== undefined && { doc: field.doc }),
      shape: this.type(field.type, `${path}/type`, depth),
      optional: field.default !== undefined,
      ...this.#default(field, path)
    }
  }

  #default(field: Field, path: string): { readonly default?: unknown } {
    if (field.default === undefined) return {}
    if (field.default !== null && !isPlainJson(field.type, this.#effort)) {
      this.#lose(path, `the default of ${field.name}, which is bytes or a time written in Avro's own way`)
      return {}
    }
    return { default: toPlain(field.default) }
  }

  #loseDetails(type: Exclude<AvroType, { kind: 'union' }>, path: string): void {
    const properties = [...type.properties.keys()].filter((name) => !isLogicalAttribute(type.logical, name))
    if (properties.length > 0) this.#lose(path, `the properties ${properties.sort().join(', ')}`)
    if (!isNamed(type)) return
    if (type.aliases.length > 0) this.#lose(path, `the aliases of ${type.name}`)
    if (type.kind !== 'record' && type.doc !== undefined) this.#lose(path, `the documentation of ${type.name}`)
    if (type.kind === 'enum' && type.default !== undefined) this.#lose(path, `the default symbol of ${type.name}`)
  }

  #lose(path: string, message: string): void {
    this.#effort.spend()
    this.lost.push({ path, message: `Not kept: ${message.slice(0, MAX_MESSAGE_CHARS)}.` })
  }
}
