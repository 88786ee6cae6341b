import type { Rule } from '../format.ts'
import type { BranchType } from './model.ts'
import { isPromoted } from './resolution.ts'
import { RULES } from './rules.ts'

/** Kinds whose numbers don't all have an exact counterpart in the other. */
const INEXACT = new Set(['int float', 'long float', 'long double'])

/** What follows when data of one kind are read as another; undefined where they can't be, or it is the same kind. */
export function promotionRule(written: BranchType, read: BranchType): Rule | undefined {
  if (!isPromoted(written, read)) return undefined
  if (written.kind === 'bytes') return RULES.bytes_read_as_text
  return INEXACT.has(`${written.kind} ${read.kind}`) ? RULES.type_promoted_inexactly : RULES.type_promoted
}
