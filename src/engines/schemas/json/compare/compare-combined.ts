import { RULES } from '../rules.ts'
import { type CombinedTree, type Part, type Tree, typeName, typeNames } from '../tree.ts'
import { compareParts } from './compare-parts.ts'
import type { Comparison } from './comparison.ts'
import { areDisjoint } from './disjoint.ts'
import type { Findings } from './findings.ts'

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

/** The part that is meant: one that does not break, or else of the same kind. */
function nearest(parts: readonly Part[], resultOf: (part: Part) => Findings, kind: string): Part | undefined {
  const results = parts.map((part) => ({ part, result: resultOf(part) }))
  const fitting =
    results.find(({ result }) => !result.breaks && !result.assumes) ?? results.find(({ result }) => !result.breaks)
  return fitting?.part ?? parts.find((part) => part.tree.kind === kind)
}

function compareBoth(comparison: Comparison, written: CombinedTree, read: CombinedTree, out: Findings): void {
  // The same in both directions.
  const path = [written.path, read.path].sort()[0] as string
  if (written.criterion !== read.criterion) {
    const rule = isWidened(written, read) ? RULES.combination_widened : RULES.combination_changed
    out.add(rule, path, written.criterion, read.criterion)
  }
  const isSame = compareParts(comparison, written, read, path, out)
  const isCounted = written.criterion === 'oneOf' && isSame && written.parts.length === read.parts.length
  if (read.criterion === 'oneOf' && !isCounted && mayOverlap(read)) out.add(RULES.alternatives_may_overlap, path)
}

/** Whether what the reader does with its parts takes all that what the writer does lets through. */
function isWidened(written: CombinedTree, read: CombinedTree): boolean {
  const [isOneWritten, isOneRead] = [written.parts.length === 1, read.parts.length === 1]
  if (read.criterion === 'anyOf') return true
  if (isOneWritten && (isOneRead || read.criterion === 'oneOf')) return true
  return isOneRead && written.criterion === 'allOf'
}

function mayOverlap(read: CombinedTree): boolean {
  return read.criterion === 'oneOf' && read.parts.length > 1 && !areDisjoint(read.parts.map((part) => part.tree))
}
