import { RULES } from '../rules.ts'
import {
  type CombinedTree,
  type ConditionalTree,
  type EnumTree,
  type NotTree,
  type ObjectTree,
  type Part,
  type Tree,
  typeName,
  typeNames
} from '../tree.ts'
import type { Comparison, Findings } from './comparison.ts'
import { compareParts } from './parts.ts'

export function compareCombined(comparison: Comparison, written: Tree, read: Tree, out: Findings): void {
  if (written.kind === 'combined' && read.kind === 'combined') compareBoth(comparison, written, read, out)
  else if (read.kind === 'combined') compareIntoCombined(comparison, written, read, out)
  else if (written.kind === 'combined') compareOutOfCombined(comparison, written, read, out)
}

function compareIntoCombined(comparison: Comparison, written: Tree, read: CombinedTree, out: Findings): void {
  const [only] = read.parts
  if (read.parts.length === 1 && only !== undefined) {
    out.include(comparison.of(written, only.tree), only.path)
    return
  }
  if (read.criterion === 'allOf') {
    const kept = nearest(read.parts, (part) => comparison.of(written, part.tree), written.kind)
    if (kept !== undefined) out.include(comparison.of(written, kept.tree), kept.path)
    for (const part of read.parts)
      if (part !== kept) out.add(RULES.constraint_added, read.path, undefined, typeName(part.tree))
    return
  }
  const near = nearest(read.parts, (part) => comparison.of(written, part.tree), written.kind)
  if (near === undefined) {
    out.add(RULES.type_changed, '', typeName(written), typeName(read))
    return
  }
  out.include(comparison.of(written, near.tree), near.path)
  out.add(RULES.alternative_added, read.path, undefined, typeNames(read.parts.filter((part) => part !== near)))
  if (mayOverlap(read)) out.add(RULES.alternatives_may_overlap, read.path)
}

function compareOutOfCombined(comparison: Comparison, written: CombinedTree, read: Tree, out: Findings): void {
  const [only] = written.parts
  if (written.parts.length === 1 && only !== undefined) {
    out.include(comparison.of(only.tree, read), only.path)
    return
  }
  const near = nearest(written.parts, (part) => comparison.of(part.tree, read), read.kind)
  if (near === undefined) {
    out.add(RULES.type_changed, '', typeName(written), typeName(read))
    return
  }
  const others = written.parts.filter((part) => part !== near)
  out.include(comparison.of(near.tree, read), near.path)
  if (written.criterion === 'allOf') {
    for (const part of others) out.add(RULES.constraint_removed, written.path, typeName(part.tree))
  } else out.add(RULES.alternative_removed, written.path, typeNames(others))
}

/** The part to compare with: one that does not break, or else one of the same kind. */
function nearest(parts: readonly Part[], resultOf: (part: Part) => Findings, kind: string): Part | undefined {
  const results = parts.map((part) => ({ part, result: resultOf(part) }))
  const fitting =
    results.find(({ result }) => !result.breaks && !result.assumes) ?? results.find(({ result }) => !result.breaks)
  return fitting?.part ?? parts.find((part) => part.tree.kind === kind)
}

function compareBoth(comparison: Comparison, written: CombinedTree, read: CombinedTree, out: Findings): void {
  // Sorted, so that the path is the same with the sides swapped.
  const path = [written.path, read.path].sort()[0] as string
  if (written.criterion !== read.criterion) {
    const rule = isWidened(written, read) ? RULES.combination_widened : RULES.combination_changed
    out.add(rule, path, written.criterion, read.criterion)
  }
  const isSame = compareParts(comparison, written, read, path, out)
  const isCounted = written.criterion === 'oneOf' && isSame && written.parts.length === read.parts.length
  if (read.criterion === 'oneOf' && !isCounted && mayOverlap(read)) out.add(RULES.alternatives_may_overlap, path)
}

/** Whether the reader's criterion allows every value that the writer's allows, such as `anyOf` after `allOf`. */
function isWidened(written: CombinedTree, read: CombinedTree): boolean {
  const [isOneWritten, isOneRead] = [written.parts.length === 1, read.parts.length === 1]
  if (read.criterion === 'anyOf') return true
  if (isOneWritten && (isOneRead || read.criterion === 'oneOf')) return true
  return isOneRead && written.criterion === 'allOf'
}

function mayOverlap(read: CombinedTree): boolean {
  return read.criterion === 'oneOf' && read.parts.length > 1 && !areDisjoint(read.parts.map((part) => part.tree))
}

export function compareConditions(
  comparison: Comparison,
  written: ConditionalTree,
  read: ConditionalTree,
  out: Findings
): void {
  if (!comparison.within(written, written.condition, read, read.condition).isSame)
    out.add(RULES.condition_changed, '/if')
  out.include(comparison.within(written, written.yes, read, read.yes), '/then')
  out.include(comparison.within(written, written.no, read, read.no), '/else')
}

/** Whatever the reader excludes has to be excluded by the writer. A condition that is assumed turns around with it. */
export function compareNots(comparison: Comparison, written: NotTree, read: NotTree, out: Findings): void {
  const turned = comparison.within(read, read.schema, written, written.schema)
  if (turned.isSame) return
  out.add(turned.breaks || turned.assumes ? RULES.not_extended : RULES.not_narrowed, '/not')
}

const MAX_LEVELS = 4
const MAX_PARTS = 30

/** Whether no value fits two parts, as far as that is easily seen. */
function areDisjoint(trees: readonly Tree[]): boolean {
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

/** Whether one requires a property, such as `kind`, that the other allows no such values of. */
function haveDisjointProperty(one: ObjectTree, other: ObjectTree, level: number): boolean {
  for (const name of one.required) {
    const [mine, others] = [one.properties.get(name), other.properties.get(name)]
    if (mine === undefined || others === undefined) continue
    if (isDisjoint(one.home.of(mine), other.home.of(others), level + 1)) return true
  }
  return false
}
