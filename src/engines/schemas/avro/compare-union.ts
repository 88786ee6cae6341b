import type { Effort } from '../fault.ts'
import type { Rule } from '../format.ts'
import { type AvroType, type BranchType, branchName, isNamed, type NamedType, shortName } from './model.ts'
import { promotionRule } from './resolution.ts'
import { RULES } from './rules.ts'

/** What functions that compare one kind of type need of the comparison they are part of. */
export interface Walk {
  readonly effort: Effort
  add(rule: Rule, path: string, before?: unknown, after?: unknown): void
  types(written: AvroType, read: AvroType, path: string, depth: number): void
  canRead(written: AvroType, read: AvroType): boolean
}

/** Compares two types of which at least one is a union. The other counts as a union of one type. */
export function compareUnions(walk: Walk, written: AvroType, read: AvroType, path: string, depth: number): void {
  const [before, after] = [branchesOf(written), branchesOf(read)]
  walk.effort.spend(before.length + after.length)
  if (written.kind === read.kind && areIdentical(before, after)) return
  if (written.kind !== 'union') walk.add(RULES.union_made, path, branchName(written))
  if (read.kind !== 'union') walk.add(RULES.union_unmade, path, undefined, branchName(read))
  const partners = pairUp(walk, before, after)
  const tokens = new Tokens(before, after)
  const pairs = before.map((branch): Pair => {
    const partner = partners.get(branch)
    return { branch, partner, token: tokens.of(branch, partner) }
  })
  const matched = pairs.flatMap(({ partner }) => (partner === undefined ? [] : branchName(partner)))
  if (isReordered(matched, after.map(branchName))) {
    walk.add(RULES.union_branches_reordered, path)
    // A type that comes up in several branches is reported in the first, which must be the same with the sides swapped.
    pairs.sort((a, b) => (a.token < b.token ? -1 : 1))
  }
  for (const pair of pairs) compareBranch(walk, pair, after, path, depth)
  const paired = new Set(partners.values())
  for (const branch of after) {
    if (paired.has(branch)) continue
    walk.add(RULES.union_branch_added, `${path}/${tokens.of(branch)}`, undefined, branchName(branch))
  }
}

interface Pair {
  readonly branch: BranchType
  /** The branch of the read union that corresponds to it. */
  readonly partner: BranchType | undefined
  readonly token: string
}

function compareBranch(walk: Walk, pair: Pair, after: readonly BranchType[], path: string, depth: number): void {
  const { branch, partner } = pair
  const place = `${path}/${pair.token}`
  const isSame = partner !== undefined && walk.canRead(branch, partner)
  const reader = isSame ? partner : (after.find((other) => walk.canRead(branch, other)) ?? partner)
  const promotion = reader && promotionRule(branch, reader)
  if (reader === undefined) walk.add(RULES.union_branch_removed, place, branchName(branch))
  else if (promotion === undefined) walk.types(branch, reader, place, depth + 1)
  else walk.add(promotion, place, branchName(branch), branchName(reader))
}

function branchesOf(type: AvroType): readonly BranchType[] {
  return type.kind === 'union' ? type.branches : [type]
}

/**
 * Whether the branches are the same objects. Primitive types without attributes are shared, and most unions have no
 * others.
 */
function areIdentical(before: readonly BranchType[], after: readonly BranchType[]): boolean {
  return before.length === after.length && before.every((branch, index) => branch === after[index])
}

/** Pairs the branches of two unions: by full name, else by name without namespace, else by an alias of either. */
function pairUp(walk: Walk, before: readonly BranchType[], after: readonly BranchType[]): Map<BranchType, BranchType> {
  const byName = new Map(after.map((branch) => [branchName(branch), branch]))
  const pairs = new Map<BranchType, BranchType>()
  const taken = new Set<BranchType>()
  const steps = after.reduce((sum, other) => sum + 1 + (isNamed(other) ? other.aliases.length : 0), 0)
  const pair = (branch: BranchType, partner: BranchType | undefined) => {
    if (partner === undefined || partner.kind !== branch.kind) return
    pairs.set(branch, partner)
    taken.add(partner)
  }
  for (const branch of before) pair(branch, byName.get(branchName(branch)))
  for (const isAlike of [isSameShortName, isAlias]) {
    for (const branch of before) {
      if (pairs.has(branch) || !isNamed(branch)) continue
      walk.effort.spend(steps + after.length * branch.aliases.length)
      const isPartner = (other: BranchType) => isNamed(other) && !taken.has(other) && isAlike(branch, other)
      pair(
        branch,
        after.find((other) => other.kind === branch.kind && isPartner(other))
      )
    }
  }
  return pairs
}

function isSameShortName(one: NamedType, other: NamedType): boolean {
  return shortName(one.name) === shortName(other.name)
}

function isAlias(one: NamedType, other: NamedType): boolean {
  return one.aliases.includes(other.name) || other.aliases.includes(one.name)
}

/**
 * Names branches in paths, without namespace where no two share a name. A branch has the same name with the sides
 * swapped.
 */
class Tokens {
  readonly #shared = new Set<string>()

  constructor(...unions: readonly (readonly BranchType[])[]) {
    for (const branches of unions) {
      const seen = new Set<string>()
      for (const branch of branches) {
        const short = shortName(branchName(branch))
        if (seen.has(short)) this.#shared.add(short)
        seen.add(short)
      }
    }
  }

  of(branch: BranchType, partner?: BranchType): string {
    // A renamed branch is called by its newer name: that side has the alias.
    const isRenamed = partner !== undefined && isNamed(partner) && partner.aliases.includes(branchName(branch))
    const name = branchName(isRenamed ? partner : branch)
    return this.#shared.has(shortName(name)) ? name : shortName(name)
  }
}

/** Whether the names that both lists have stand in different orders. */
export function isReordered(before: readonly string[], after: readonly string[]): boolean {
  const places = new Map(before.map((name, index) => [name, index]))
  let last = -1
  for (const name of after) {
    const place = places.get(name)
    if (place === undefined) continue
    if (place < last) return true
    last = place
  }
  return false
}
