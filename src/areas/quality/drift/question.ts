import type { DataColumn } from '../../../data/sql-process/messages.ts'
import type { Compiled } from '../evaluation/compile.ts'
import { both, mismatch } from '../evaluation/unaskable.ts'
import type { RuleConfig } from '../rules/schema.ts'
import type { KnownBaseline } from './drift.ts'
import { shapeKindOf, shapeSql, valueSql } from './shape.ts'

/** What is asked of the rows; undefined while there is no baseline to compare them with. */
export function distribution(
  column: DataColumn,
  { method, sample }: RuleConfig,
  where: string,
  baseline: KnownBaseline | undefined
): Compiled | undefined {
  const kind = shapeKindOf(column)
  if (kind === undefined) throw mismatch(column, 'distribution is about numbers, times, texts and truth values')
  if (kind === 'category' && method === 'ks') {
    throw mismatch(column, 'ks is about numbers and times; chiSquare and psi are for all', 'method')
  }
  if (baseline === undefined) return undefined
  if (kind !== baseline.cells.kind) {
    const known = KINDS[baseline.cells.kind]
    throw mismatch(
      column,
      `the baseline ${baseline.id} is of ${known}. Make another one: delete it if it is the rule’s own, or else name a new one in the rule`
    )
  }
  const { cells, isOpen } = baseline
  return {
    checked: both(where, `${valueSql(column)} IS NOT NULL`),
    shape: shapeSql(column, cells, where, isOpen),
    sample
  }
}

const KINDS = { number: 'numbers', time: 'times', category: 'categories' } as const
