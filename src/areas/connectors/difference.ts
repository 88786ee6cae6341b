import type { StreamColumn } from '../../engines/drivers/index.ts'
import type { ConnectorStreamRow } from './migrations.ts'
import type { Discovery } from './schema.ts'

const SHOWN = 100

type Row = Pick<ConnectorStreamRow, 'name' | 'columns'>

/** What is otherwise than it was. */
export function differenceOf(
  before: readonly Row[],
  after: readonly Row[]
): Pick<Discovery, 'added' | 'removed' | 'changed'> {
  const known = new Map(before.map((row) => [row.name, row.columns]))
  const found = new Map(after.map((row) => [row.name, row.columns]))
  const changed = after.flatMap(({ name, columns }) => {
    const old = known.get(name)
    if (old === undefined || old === columns) return []
    const difference = { name, ...columnsOtherwise(JSON.parse(old), JSON.parse(columns)) }
    const { columnsAdded, columnsRemoved, columnsChanged } = difference
    return columnsAdded.length + columnsRemoved.length + columnsChanged.length > 0 ? [difference] : []
  })
  return {
    added: after.flatMap(({ name }) => (known.has(name) ? [] : [name])).slice(0, SHOWN),
    removed: before.flatMap(({ name }) => (found.has(name) ? [] : [name])).slice(0, SHOWN),
    changed: changed.slice(0, SHOWN)
  }
}

function columnsOtherwise(before: readonly StreamColumn[], after: readonly StreamColumn[]) {
  const known = new Map(before.map(({ name, type }) => [name, type]))
  const found = new Set(after.map(({ name }) => name))
  return {
    columnsAdded: after.flatMap(({ name }) => (known.has(name) ? [] : [name])),
    columnsRemoved: before.flatMap(({ name }) => (found.has(name) ? [] : [name])),
    columnsChanged: after.flatMap(({ name, type }) => (known.has(name) && known.get(name) !== type ? [name] : []))
  }
}
