import type { Type } from 'avsc'
import fc, { type Arbitrary } from 'fast-check'
import { SchemaFault } from '../../fault.ts'
import type { AvroType } from '../model.ts'
import { AnySchema, branchKey, type Choices, choices, type SchemaJson, simpleDefault } from './any-schema.ts'
import { avscType, modelOf } from './compatibility.ts'

export interface Side {
  readonly schema: SchemaJson
  readonly model: AvroType
  readonly type: Type
}

export interface Pair {
  readonly written: Side
  readonly read: Side
  readonly choices: Choices
}

/** Two schemas of which one came about by changes to the other, or, now and then, that have nothing to do with each other. */
export const pairs: Arbitrary<Pair> = choices
  .map((made) => {
    const first = new AnySchema(made).root()
    const second = made.once(10) ? new AnySchema(made).root() : mutated(first, made)
    const isForward = made.once(2)
    const [written, read] = isForward ? [sideOf(second), sideOf(first)] : [sideOf(first), sideOf(second)]
    if (written === undefined || read === undefined) return undefined
    return { written, read, choices: made, [fc.toStringMethod]: () => `${shown(written)} read as ${shown(read)}` }
  })
  .filter((pair) => pair !== undefined)

export const schemas: Arbitrary<Side & { readonly choices: Choices }> = choices
  .map((made) => {
    const side = sideOf(new AnySchema(made).root())
    return side && { ...side, choices: made, [fc.toStringMethod]: () => shown(side) }
  })
  .filter((side) => side !== undefined)

/** Undefined where it is no schema for us or for avsc. */
function sideOf(schema: SchemaJson): Side | undefined {
  let type: Type
  try {
    type = avscType(schema)
  } catch {
    return undefined
  }
  try {
    return { schema, model: modelOf(schema), type }
  } catch (error) {
    if (error instanceof SchemaFault) return undefined
    throw error
  }
}

function shown({ schema }: Side): string {
  return JSON.stringify(schema)
}

type Node = { [key: string]: unknown }

/** Another schema that came about by a few changes. It may be no schema any more. */
function mutated(schema: SchemaJson, choices: Choices): SchemaJson {
  let result = structuredClone(schema)
  const count = choices.below(3) + 1
  for (let index = 0; index < count; index++) result = mutatedOnce(result, choices)
  return result
}

/** Goes down from the top, at each step with some chance of changing what it is at. */
function mutatedOnce(schema: SchemaJson, choices: Choices): SchemaJson {
  if (typeof schema === 'string') return mutatedName(schema, choices)
  if (Array.isArray(schema)) return mutatedUnion(schema, choices)
  const node = schema as Node
  if (choices.once(8)) return [...(choices.once(2) ? ['null'] : []), node as SchemaJson]
  switch (node.type) {
    case 'array':
      return { ...node, items: mutatedOnce(node.items as SchemaJson, choices) }
    case 'map':
      return { ...node, values: mutatedOnce(node.values as SchemaJson, choices) }
    case 'record':
      return mutatedRecord(node, choices)
    case 'enum':
      return mutatedEnum(node, choices)
    case 'fixed':
      return choices.once(2) ? { ...node, size: choices.below(4) } : renamed(node, choices)
    default:
      return mutatedName(String(node.type), choices)
  }
}

function mutatedName(name: string, choices: Choices): SchemaJson {
  if (choices.once(4)) return ['null', name].filter((one, at, all) => all.indexOf(one) === at)
  return choices.of('long', 'double', 'int', 'string', 'bytes', 'float', 'null', 'boolean')
}

function mutatedUnion(union: SchemaJson[], choices: Choices): SchemaJson {
  const at = choices.below(Math.max(union.length, 1))
  switch (choices.below(5)) {
    case 0:
      return union.filter((_, index) => index !== at || union.length === 1)
    case 1:
      return [...union, choices.of('int', 'string', 'null', 'long', 'double')].filter(
        (one, index, all) => all.findIndex((other) => branchKey(other) === branchKey(one)) === index
      )
    case 2:
      return union.toReversed()
    case 3:
      return union[at] ?? 'null'
    default:
      return union.map((branch, index) => (index === at ? mutatedOnce(branch, choices) : branch))
  }
}

function mutatedRecord(record: Node, choices: Choices): SchemaJson {
  const fields = record.fields as Node[]
  const at = choices.below(fields.length + 1)
  const replaced = (change: (field: Node) => Node) => ({
    ...record,
    fields: fields.map((field, index) => (index === at ? change(field) : field))
  })
  switch (choices.below(9)) {
    case 0:
      return { ...record, fields: fields.filter((_, index) => index !== at) }
    case 1:
      return { ...record, fields: [...fields, addedField(choices)] }
    case 2:
      return { ...record, fields: fields.toReversed() }
    case 3:
      return renamed(record, choices)
    case 4:
      return replaced(({ default: _, ...field }) => field)
    case 5:
      return replaced((field) => ({
        ...field,
        name: `${field.name}2`,
        ...(choices.once(2) && { aliases: [field.name] })
      }))
    default:
      return replaced(({ default: _, ...field }) => {
        const type = mutatedOnce(field.type as SchemaJson, choices)
        const value = choices.once(2) ? simpleDefault(type) : undefined
        return { ...field, type, ...(value !== undefined && { default: value }) }
      })
  }
}

function addedField(choices: Choices): Node {
  const name = choices.of('n', 'm')
  const aliases = choices.once(3) ? { aliases: [choices.of('a', 'b')] } : {}
  const type = choices.once(3) ? new AnySchema(choices).union(3) : choices.of('int', 'string')
  return { name, type, ...aliases, ...(choices.once(2) && { default: simpleDefault(type) }) }
}

function mutatedEnum(node: Node, choices: Choices): SchemaJson {
  const symbols = node.symbols as string[]
  switch (choices.below(4)) {
    case 0:
      return { ...node, symbols: [...symbols, 'Z'] }
    case 1:
      return { ...node, symbols: symbols.length > 1 ? symbols.slice(1) : symbols, default: symbols.at(-1) }
    case 2:
      return { type: 'enum', name: node.name, symbols: symbols.length > 1 ? symbols.slice(1) : symbols }
    default:
      return renamed(node, choices)
  }
}

/** Names elsewhere that refer to it are not changed, so it may be no schema any more. */
function renamed(node: Node, choices: Choices): SchemaJson {
  const name = String(node.name)
  const short = name.slice(name.lastIndexOf('.') + 1)
  switch (choices.below(3)) {
    case 0:
      return { ...node, name: `z.${short}` }
    case 1:
      return { ...node, name: `${name}2` }
    default:
      return { ...node, name: `${name}2`, aliases: [name] }
  }
}
