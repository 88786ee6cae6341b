import { RULES } from '../rules.ts'
import type { ConditionalTree } from '../tree.ts'
import type { Comparison } from './comparison.ts'
import type { Findings } from './findings.ts'

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
