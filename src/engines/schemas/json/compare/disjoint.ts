import type { CombinedTree, EnumTree, ObjectTree, Tree } from '../tree.ts'

const MAX_LEVELS = 4
const MAX_PARTS = 30

/** Whether no value fits two parts, as far as that is easily seen. */
export function areDisjoint(trees: readonly Tree[]): boolean {
  if (trees.length > MAX_PARTS) return false
  return trees.every((one, i) => trees.slice(i + 1).every((other) => isDisjoint(one, other, 0)))
}

function isDisjoint(one: Tree, other: Tree, level: number): boolean {
  if (one.kind === 'false' || other.kind === 'false') return true
  if (level > MAX_LEVELS) return false
  if (one.kind === 'combined') return isDisjointFrom(one, other, level)
  if (other.kind === 'combined') return isDisjointFrom(other, one, level)
  if (one.kind === 'enum' && other.kind === 'enum')
    return [...one.values.keys()].every((text) => !other.values.has(text))
  if (one.kind === 'enum') return excludesAll(other, one)
  if (other.kind === 'enum') return excludesAll(one, other)
  const types = [typeOf(one), typeOf(other)]
  if (types.includes(undefined)) return false
  if (types[0] !== types[1]) return true
  return one.kind === 'object' && other.kind === 'object' && haveDisjointProperty(one, other, level)
}

function isDisjointFrom(combined: CombinedTree, other: Tree, level: number): boolean {
  if (combined.parts.length > MAX_PARTS) return false
  const isOne = (tree: Tree) => isDisjoint(tree, other, level + 1)
  const trees = combined.parts.map((part) => part.tree)
  return combined.criterion === 'allOf' ? trees.some(isOne) : trees.every(isOne)
}

/** The type that all its values have. */
function typeOf(tree: Tree): string | undefined {
  if ('isTyped' in tree) return tree.isTyped ? tree.kind : undefined
  return tree.kind === 'boolean' || tree.kind === 'null' ? tree.kind : undefined
}

function excludesAll(tree: Tree, values: EnumTree): boolean {
  const type = typeOf(tree)
  return type !== undefined && [...values.values.values()].every((value) => typeOfValue(value) !== type)
}

function typeOfValue(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

/** Such as `kind`, by which people tell objects apart. */
function haveDisjointProperty(one: ObjectTree, other: ObjectTree, level: number): boolean {
  for (const name of one.required) {
    const [mine, others] = [one.properties.get(name), other.properties.get(name)]
    if (mine === undefined || others === undefined) continue
    if (isDisjoint(one.home.of(mine), other.home.of(others), level + 1)) return true
  }
  return false
}
