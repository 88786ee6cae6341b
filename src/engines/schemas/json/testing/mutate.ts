import type { Chance } from './chance.ts'
import type { Loose, SchemaMaker } from './random-schema.ts'

type Node = { [keyword: string]: unknown }

/** Below these are no schemas. */
const DATA = new Set(['enum', 'const', 'default', 'required', 'type', 'dependentRequired'])

/** The same schema with a few things changed, as people do. */
export function mutate(document: Loose, chance: Chance, maker: SchemaMaker): Loose {
  let result = structuredClone(document)
  for (let i = 0; i <= chance.below(2); i++) result = change(result, chance, maker)
  return result
}

function change(document: Loose, chance: Chance, maker: SchemaMaker): Loose {
  const places: { holder: Node; name: string }[] = []
  collect({ root: document }, places)
  const { holder, name } = chance.pick(places)
  const schema = holder[name]
  if (typeof schema === 'object' && schema !== null) holder[name] = changed(schema as Node, chance, maker)
  else holder[name] = maker.schema(1)
  return (places[0] as { holder: Node }).holder.root as Loose
}

function collect(holder: Node, found: { holder: Node; name: string }[]): void {
  for (const [name, value] of Object.entries(holder)) {
    if (DATA.has(name)) continue
    const isSchema =
      typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value))
    if (isSchema && !isHolder(name, value) && name !== 'uniqueItems') found.push({ holder, name })
    if (typeof value === 'object' && value !== null) collect(value as Node, found)
  }
}

function isHolder(name: string, value: unknown): boolean {
  const holders = ['properties', 'patternProperties', 'definitions', '$defs', 'dependencies', 'dependentSchemas']
  return typeof value === 'object' && holders.includes(name)
}

function changed(schema: Node, chance: Chance, maker: SchemaMaker): unknown {
  const copy = { ...schema }
  const names = Object.keys(copy).filter((name) => name !== '$defs' && name !== 'definitions')
  const name = names.length === 0 ? undefined : chance.pick(names)
  const kept = {
    ...('$defs' in copy && { $defs: copy.$defs }),
    ...('definitions' in copy && { definitions: copy.definitions })
  }
  switch (chance.below(8)) {
    case 0:
      return { ...kept, anyOf: [without(copy, Object.keys(kept)), maker.schema(1)] }
    case 1:
      return { ...kept, ...asNode(maker.schema(1)) }
    case 2:
      return { ...copy, ...asNode(maker.schema(1)), ...kept }
    case 3:
      return { ...kept, [chance.pick(['allOf', 'oneOf'])]: [without(copy, Object.keys(kept))] }
    case 4:
    case 5:
      return name === undefined ? copy : without(copy, [name])
    default:
      return name === undefined ? copy : { ...copy, [name]: turned(copy[name], chance, maker) }
  }
}

/** A bit more or less. */
function turned(value: unknown, chance: Chance, maker: SchemaMaker): unknown {
  if (typeof value === 'number')
    return Math.max(0.5, value + chance.pick([-1, 1])) === 0.5 ? 1 : value + chance.pick([0, 1])
  if (!Array.isArray(value)) return value
  if (value.every((each) => typeof each === 'object' || typeof each === 'boolean')) {
    return chance.is(0.5)
      ? [...value, maker.schema(1)]
      : chance.is(0.5) && value.length > 1
        ? value.slice(1)
        : value.toReversed()
  }
  return value.length > 1 ? value.slice(1) : value
}

function asNode(schema: Loose): Node {
  return typeof schema === 'boolean' ? {} : schema
}

function without(node: Node, names: readonly string[]): Node {
  return Object.fromEntries(Object.entries(node).filter(([name]) => !names.includes(name)))
}
