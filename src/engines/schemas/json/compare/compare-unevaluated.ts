import { RULES } from '../rules.ts'
import type { ArrayTree, ObjectTree, Unevaluated } from '../tree.ts'
import type { Comparison } from './comparison.ts'
import type { Findings } from './findings.ts'

/**
 * Where other schemas look at the same value, what they leave over depends on all of them: it is only known to be the
 * same where they are. Comes last, when everything else has been found.
 */
export function compareUnevaluated<T extends ArrayTree | ObjectTree>(
  comparison: Comparison,
  path: string,
  written: T,
  read: T,
  out: Findings
): void {
  const [before, after] = [written.unevaluated, read.unevaluated]
  if (after === undefined || read.home.of(after.schema).kind === 'empty') {
    if (before !== undefined && after === undefined) out.add(RULES.unevaluated_removed, path)
    return
  }
  if (before === undefined || !out.isSame || !isSameBeside(comparison, before, after))
    out.add(RULES.unevaluated_unclear, path)
  else out.include(comparison.within(written, before.schema, read, after.schema), path)
}

function isSameBeside(comparison: Comparison, before: Unevaluated, after: Unevaluated): boolean {
  if (before.beside === undefined || after.beside === undefined) return before.beside === after.beside
  return comparison.of(before.beside, after.beside).isSame
}
