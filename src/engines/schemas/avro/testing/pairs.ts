import type { Type } from 'avsc'
import fc, { type Arbitrary } from 'fast-check'
import { SchemaFault } from '../../fault.ts'
import type { AvroType } from '../model.ts'
import { AnySchema, branchKey, type Choices, choices, type SchemaJson, simpleDefault } from './any-schema.ts'
import { avscType, modelOf } from './compatibility.ts'

/** A schema that is one to us. */
export interface Side {
  readonly schema: SchemaJson
  readonly model: AvroType
}

/** One that is one to avsc as well, whose types take longer to make than all the rest. */
export interface JudgedSide extends Side {
  readonly type: Type
}

export interface Pair<Made = Side> {
  readonly written: Made
  readonly read: Made
  readonly choices: Choices
}

type Single<Made> = Made & { readonly choices: Choices }

export const [pairs, judgedPairs] = [pairsOf(sideOf), pairsOf(judgedSideOf)]
export const [schemas, judgedSchemas] = [schemasOf(sideOf), schemasOf(judgedSideOf)]

/** Two schemas of which one came about by changes to the other, or, now and then, that have nothing to do with each other. */
function pairsOf<Made extends Side>(make: (schema: SchemaJson) => Made | undefined): Arbitrary<Pair<Made>> {
  return choices
    .map((made) => {
      const first = new AnySchema(made).root()
      const second = made.once(10) ? new AnySchema(made).root() : mutated(first, made)
      const [before, after] = made.once(2) ? [second, first] : [first, second]
      const written = make(before)
      const read = written && make(after)
      if (written === undefined || read === undefined) return undefined
      return { written, read, choices: made, [fc.toStringMethod]: () => `${shown(written)} read as ${shown(read)}` }
    })
    .filter((pair) => pair !== undefined)
}

function schemasOf<Made extends Side>(make: (schema: SchemaJson) => Made | undefined): Arbitrary<Single<Made>> {
  return choices
    .map((made) => {
      const side = make(new AnySchema(made).root())
      return side && { ...side, choices: made, [fc.toStringMethod]: () => shown(side) }
    })
    .filter((side) => side !== undefined)
}

function sideOf(schema: SchemaJson): Side | undefined {
  try {
    return { schema, model: modelOf(schema) }
  } catch (error) {
    if (error instanceof SchemaFault) return undefined
    throw error
  }
}

function judgedSideOf(schema: SchemaJson): JudgedSide | undefined {
  const side = sideOf(schema)
  try {
    return side && { ...side, type: avscType(schema) }
  } catch {
    return undefined
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
