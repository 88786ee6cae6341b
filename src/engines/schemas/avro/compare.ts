import type { Effort } from '../effort.ts'
import { SchemaFault } from '../fault.ts'
import type { Difference, Rule } from '../format.ts'
import { Readability } from './can-read.ts'
import { compareEnums } from './compare-enum.ts'
import { compareNames } from './compare-names.ts'
import { compareLogical, compareProperties } from './compare-properties.ts'
import { compareRecords } from './compare-record.ts'
import { compareUnions } from './compare-union.ts'
import { type AvroType, type BranchType, branchName, isNamed, MAX_WALK_DEPTH, type NamedType } from './model.ts'
import { promotionRule } from './promotion.ts'
import { isPromoted } from './resolution.ts'
import { RULES } from './rules.ts'
import type { Walk } from './walk.ts'

export function differences(written: AvroType, read: AvroType, effort: Effort): Difference[] {
  const comparison = new Comparison(effort)
  comparison.types(written, read, '', 0)
  return comparison.found
}

class Comparison implements Walk {
  readonly effort: Effort
  readonly found: Difference[] = []
  readonly #readability: Readability
  /** Each pair of names is looked at once, where it first comes up: types may hold themselves. */
  readonly #seen = new Map<NamedType, Set<NamedType>>()

  constructor(effort: Effort) {
    this.effort = effort
    this.#readability = new Readability(effort)
  }

  add(rule: Rule, path: string, before?: unknown, after?: unknown): void {
    this.effort.spend()
    this.found.push({ rule, path, before, after })
  }

  canRead(written: AvroType, read: AvroType): boolean {
    return this.#readability.canRead(written, read)
  }

  types(written: AvroType, read: AvroType, path: string, depth: number): void {
    this.effort.spend()
    if (depth > MAX_WALK_DEPTH) throw new SchemaFault('too_complex', 'Types refer to each other in too long a chain')
    if (written.kind === 'union' || read.kind === 'union') compareUnions(this, written, read, path, depth)
    else if (written.kind !== read.kind) this.#kinds(written, read, path)
    else if (!this.#isSeen(written, read)) this.#sameKind(written, read, path, depth)
  }

  #isSeen(written: AvroType, read: AvroType): boolean {
    if (!isNamed(written) || !isNamed(read)) return false
    const seen = this.#seen.getOrInsertComputed(written, () => new Set<NamedType>())
    if (seen.has(read)) return true
    seen.add(read)
    return false
  }

  #sameKind(written: BranchType, read: BranchType, path: string, depth: number): void {
    compareLogical(this, written, read, path)
    compareProperties(this, written, read, path)
    if (isNamed(written) && isNamed(read)) compareNames(this, written, read, path)
    if (written.kind === 'array' && read.kind === 'array') {
      this.types(written.items, read.items, `${path}/items`, depth + 1)
    } else if (written.kind === 'map' && read.kind === 'map') {
      this.types(written.values, read.values, `${path}/values`, depth + 1)
    } else if (written.kind === 'fixed' && read.kind === 'fixed') {
      if (written.size !== read.size) this.add(RULES.fixed_size_changed, `${path}/size`, written.size, read.size)
    } else if (written.kind === 'enum' && read.kind === 'enum') compareEnums(this, written, read, path)
    else if (written.kind === 'record' && read.kind === 'record') compareRecords(this, written, read, path, depth)
  }

  #kinds(written: BranchType, read: BranchType, path: string): void {
    const promotion = promotionRule(written, read)
    this.add(promotion ?? RULES.type_changed, path, branchName(written), branchName(read))
    // In both directions, though only one is a promotion.
    if (promotion !== undefined || isPromoted(read, written)) compareLogical(this, written, read, path)
  }
}
