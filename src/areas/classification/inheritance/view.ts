import type { InheritedRow } from '../migrations.ts'
import type { Step } from './rule.ts'
import type { Inherited } from './schema.ts'

export const toColumn = (column: string): string | null => (column === '' ? null : column)

export const toSteps = (path: readonly Step[]): Inherited['path'] =>
  path.map(({ resource, column, kind, job }) => ({ resource, column: toColumn(column), kind, job }))

export const toInherited = (row: InheritedRow): Inherited => ({
  resource: row.resource,
  column: toColumn(row.column_name),
  level: row.level,
  label: row.label,
  from: { resource: row.from_resource, column: toColumn(row.from_column) },
  path: toSteps(JSON.parse(row.path) as Step[])
})
