import { escapeName } from '../document.ts'
import { formOf } from '../drafts.ts'
import { type Draft, own, type SchemaNode } from '../model.ts'
import { textOf } from '../parse.ts'
import { RULES } from '../rules.ts'
import { type CombinedTree, type Part, type Tree, typeName, typeNames } from '../tree.ts'
import type { Comparison, Findings } from './comparison.ts'

const MAX_TRIED = 400

/**
 * Every part of the one that has fewer needs one of the other, each its own. Says whether all parts have one that asks
 * the very same.
 */
export function compareParts(
  comparison: Comparison,
  written: CombinedTree,
  read: CombinedTree,
  path: string,
  out: Findings
): boolean {
  const pairs = pairUp(comparison, written.parts, read.parts)
  let isSame = pairs.length === written.parts.length && pairs.length === read.parts.length
  for (const [before, after] of pairs) {
    const result = comparison.of(before.tree, after.tree)
    if (!result.isSame) isSame = false
    out.include(result, [before.path, after.path].sort()[0] as string)
  }
  const paired = new Set(pairs.flat())
  const gone = written.parts.filter((part) => !paired.has(part))
  const fresh = read.parts.filter((part) => !paired.has(part))
  addUnpaired(written, read, gone, fresh, path, out)
  const isMatched = pairs.length === Math.min(written.parts.length, read.parts.length)
  if (!isMatched && !out.breaks) out.add(RULES.alternatives_changed, path, typeNames(gone), typeNames(fresh))
  return isSame
}

function isProduct(tree: CombinedTree): boolean {
  return tree.criterion === 'allOf'
}

function addUnpaired(
  written: CombinedTree,
  read: CombinedTree,
  gone: readonly Part[],
  fresh: readonly Part[],
  path: string,
  out: Findings
): void {
  for (const { tree } of gone)
    out.add(isProduct(written) ? RULES.constraint_removed : RULES.alternative_removed, path, typeName(tree))
  for (const { tree } of fresh) {
    out.add(isProduct(read) ? RULES.constraint_added : RULES.alternative_added, path, undefined, typeName(tree))
  }
}

/** Which part became which. The same pairs are found in both directions as far as possible. */
function pairUp(comparison: Comparison, before: readonly Part[], after: readonly Part[]): [Part, Part][] {
  const same = equals(comparison, before, after)
  const taken = new Set(same.flat())
  const [left, right] = [before, after].map((parts) => parts.filter((part) => !taken.has(part))) as [Part[], Part[]]
  const others = pairUpChanged(comparison, left, right)
  // Rarely, pairing equal parts leaves other parts without a partner. With many parts no other pairing is tried.
  const isTried = before.length * after.length <= MAX_TRIED
  if (others.isFull || same.length === 0 || !isTried) return [...same, ...others.pairs]
  const all = pairUpChanged(comparison, before, after)
  return all.isFull ? all.pairs : [...same, ...others.pairs]
}

/** Parts that did not change, so that those of large schemas need not be compared each with each. */
function equals(comparison: Comparison, before: readonly Part[], after: readonly Part[]): [Part, Part][] {
  const byText = new Map(after.map((part) => [part.text, part]))
  return before.flatMap((part): [Part, Part][] => {
    const other = part.text === undefined ? undefined : byText.get(part.text)
    if (other === undefined || !comparison.of(part.tree, other.tree).isSame) return []
    byText.delete(part.text)
    return [[part, other]]
  })
}

interface Pairs {
  readonly pairs: [Part, Part][]
  /** Whether every part that could have one has one, and they fit. */
  readonly isFull: boolean
}

function pairUpChanged(comparison: Comparison, before: readonly Part[], after: readonly Part[]): Pairs {
  const fits = before.map((one) => after.map((other) => !comparison.of(one.tree, other.tree).breaks))
  const enough = Math.min(before.length, after.length)
  const forward = matching(fits, after.length)
  const isFull = countOf(forward) === enough
  const fitsBack = before.map((one) => after.map((other) => !comparison.of(other.tree, one.tree).breaks))
  const tries = isFull
    ? [
        matching(
          both(fits, fitsBack, (a, b) => a && b),
          after.length
        ),
        forward
      ]
    : [
        matching(fitsBack, after.length),
        matching(
          both(fits, fitsBack, (a, b) => a || b),
          after.length
        )
      ]
  const isOwn = !isFull && [...before, ...after].every(({ text }) => text === undefined)
  if (isOwn) return { isFull, pairs: alike(before, after, []) }
  const best = tries.find((each) => countOf(each) === enough) ?? (tries.at(-1) as number[])
  const pairs = best.flatMap((column, row): [Part, Part][] =>
    column === -1 ? [] : [[before[row] as Part, after[column] as Part]]
  )
  return { isFull, pairs: isFull ? pairs : [...pairs, ...alike(before, after, pairs)] }
}

/** Pairs the remaining parts that have the same type: one was probably changed into the other. */
function alike(before: readonly Part[], after: readonly Part[], pairs: readonly [Part, Part][]): [Part, Part][] {
  const taken = new Set(pairs.flat())
  const found: [Part, Part][] = []
  for (const one of before) {
    if (taken.has(one)) continue
    const other = after.find((each) => !taken.has(each) && typeName(each.tree) === typeName(one.tree))
    if (other === undefined) continue
    found.push([one, other])
    taken.add(one).add(other)
  }
  return found
}

function both(one: boolean[][], other: boolean[][], how: (a: boolean, b: boolean) => boolean): boolean[][] {
  return one.map((row, i) => row.map((cell, j) => how(cell, other[i]?.[j] ?? false)))
}

function countOf(columns: readonly number[]): number {
  return columns.filter((column) => column !== -1).length
}

const RULE_OF_KEYWORD = new Map([
  ['$id', RULES.id_changed],
  ['id', RULES.id_changed],
  ['title', RULES.title_changed],
  ['description', RULES.description_changed],
  ['default', RULES.default_changed]
])
const OTHERS = new Set(['$comment', 'examples', 'readOnly', 'writeOnly', 'deprecated', '$schema'])
/** They hold what other keywords refer to, and are looked at where something does. */
const HOLDERS = new Set(['$defs', 'definitions', '$anchor', '$dynamicAnchor', '$recursiveAnchor', '$vocabulary'])
const MAX_CHARS = 200

/** What is said of values without asking anything of them, and keywords that nobody knows. */
export function compareAnnotations(written: Tree, read: Tree, out: Findings): void {
  const [before, after] = [written.node, read.node]
  if (before === undefined || after === undefined) return
  const drafts: [Draft, Draft] = [written.home.draftOf(before), read.home.draftOf(after)]
  for (const name of Object.keys(before)) compareOne(name, before, after, drafts, out)
  for (const name of Object.keys(after)) {
    if (!Object.hasOwn(before, name)) compareOne(name, before, after, drafts, out)
  }
}

function compareOne(name: string, before: SchemaNode, after: SchemaNode, drafts: [Draft, Draft], out: Findings): void {
  if (HOLDERS.has(name)) return
  const rule = RULE_OF_KEYWORD.get(name)
  const isAnnotation =
    rule !== undefined || OTHERS.has(name) || drafts.every((draft) => formOf(name, draft) === undefined)
  if (!isAnnotation) return
  const [one, other] = [own(before, name), own(after, name)]
  // It stands at the top only, and says nothing of what is further in.
  if (name === '$schema' && (one === undefined || other === undefined)) return
  if (one === other || (typeof one === typeof other && typeof one !== 'string' && textOf(one) === textOf(other))) return
  out.add(rule ?? RULES.annotation_changed, `/${escapeName(name)}`, cut(one), cut(other))
}

function cut(value: unknown): unknown {
  if (value === undefined) return undefined
  const text = typeof value === 'string' ? value : textOf(value)
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : value
}

/**
 * As many pairs as possible of rows and columns that may be paired, none in two pairs. For each row its column, or -1.
 * Prefers the same position, so that what stands at its old place is compared with what stood there.
 */
export function matching(allowed: readonly (readonly boolean[])[], columns: number): number[] {
  const columnOf = allowed.map(() => -1)
  const rowOf = new Array<number>(columns).fill(-1)

  function place(row: number, tried: Set<number>): boolean {
    for (const column of candidates(row)) {
      if (tried.has(column)) continue
      tried.add(column)
      const other = rowOf[column] as number
      if (other !== -1 && !place(other, tried)) continue
      rowOf[column] = row
      columnOf[row] = column
      return true
    }
    return false
  }

  function candidates(row: number): number[] {
    const found: number[] = allowed[row]?.[row] ? [row] : []
    for (let column = 0; column < columns; column++) {
      if (column !== row && allowed[row]?.[column]) found.push(column)
    }
    return found
  }

  for (let row = 0; row < allowed.length; row++) {
    if (allowed[row]?.[row]) {
      rowOf[row] = row
      columnOf[row] = row
    }
  }
  for (let row = 0; row < allowed.length; row++) if (columnOf[row] === -1) place(row, new Set())
  return columnOf
}
