import { RULES } from '../rules.ts'
import type { NotTree } from '../tree.ts'
import type { Comparison } from './comparison.ts'
import type { Findings } from './findings.ts'

/** Whatever the reader excludes has to be excluded by the writer. A condition that is assumed turns around with it. */
export function compareNots(comparison: Comparison, written: NotTree, read: NotTree, out: Findings): void {
  const turned = comparison.within(read, read.schema, written, written.schema)
  if (turned.isSame) return
  out.add(turned.breaks || turned.assumes ? RULES.not_extended : RULES.not_narrowed, '/not')
}
