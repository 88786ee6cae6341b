import type { SourceColumn, StatementLineage } from '../index.ts'

const SIGNS: Record<SourceColumn['kind'], string> = {
  identity: '',
  computed: '+',
  filtered: '?',
  joined: '&',
  grouped: '#',
  sorted: '^'
}

const sourcesText = (sources: readonly SourceColumn[]): string =>
  sources
    .map(({ table, column, kind }) => `${table}.${column}${SIGNS[kind]}`)
    .sort()
    .join(' ')

/**
 * Lineage in one line: `a: t.x; b: t.y+ | t.z?` has two outputs, and rows that are filtered by `t.z`. After a name stands
 * nothing for `identity`, `+` computed, `?` filtered, `&` joined, `#` grouped, `^` sorted. `!` at the end: not all of it is
 * understood.
 */
export function told({ writes, outputs, rows, notUnderstood }: StatementLineage): string {
  const columns = outputs.map(({ name, from }) => `${name}: ${sourcesText(from)}`.trimEnd()).join('; ')
  const target = writes === null ? '' : `${writes} <- `
  const decided = rows.length === 0 ? '' : ` | ${sourcesText(rows)}`
  return `${target}${columns}${decided}${notUnderstood.length > 0 ? ' !' : ''}`.trim()
}
