import type { Rule } from '../format.ts'
import type { BranchType } from './model.ts'
import { isPromoted } from './resolution.ts'
import { bytesReadAsText } from './rules/bytes-read-as-text.ts'
import { typePromoted } from './rules/type-promoted.ts'
import { typePromotedInexactly } from './rules/type-promoted-inexactly.ts'

/** Kinds whose numbers don't all have an exact counterpart in the other. */
const INEXACT = new Set(['int float', 'long float', 'long double'])

/** What follows when data of one kind are read as another; undefined where they can't be, or it is the same kind. */
export function promotionRule(written: BranchType, read: BranchType): Rule | undefined {
  if (!isPromoted(written, read)) return undefined
  if (written.kind === 'bytes') return bytesReadAsText
  return INEXACT.has(`${written.kind} ${read.kind}`) ? typePromotedInexactly : typePromoted
}
