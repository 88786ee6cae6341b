import type { SqlApply, SqlColumn, SqlValue } from './index.ts'

/** Rows of some columns: one array per column, each of `rows` values. */
export interface Block {
  readonly columns: readonly SqlColumn[]
  readonly values: readonly (readonly SqlValue[])[]
  readonly rows: number
}

/** What is left to do of any number of changes, in this order: each key is in one of the blocks, and there once. */
export interface Folded {
  /** Whether all rows go first. */
  readonly isEmptied: boolean
  /** Keys of rows that go. */
  readonly deleted: Block
  /** Whole rows that come, or replace those with the same keys. */
  readonly put: Block
  /** Rows of which only some columns change: a block for each choice of columns. */
  readonly partial: readonly Block[]
}

type Row = readonly SqlValue[]

/** What becomes of a row in the end. */
type Fate = { readonly row: Row; readonly unsent: readonly number[] } | { readonly goneKey: Row }

/** Folds changes by their keys, so that a row that changes a thousand times is written once. */
export function foldChanges({ columns, keys, changes }: Pick<SqlApply, 'columns' | 'keys' | 'changes'>): Folded {
  const keyAt = keys.map((key) => columns.findIndex(({ name }) => name === key))
  const fates = new Map<string, Fate>()
  let isEmptied = false
  for (const change of changes) {
    if (change.op === 'empty') {
      fates.clear()
      isEmptied = true
      continue
    }
    const key = keyAt.map((i) => change.values[i] ?? null)
    const name = JSON.stringify(key.map(keyText))
    const fate = change.op === 'delete' ? { goneKey: key } : put(fates.get(name), change.values, change.unsent)
    fates.set(name, fate)
  }
  return { isEmptied, ...blocksOf(columns, keyAt, [...fates.values()]) }
}

/** Columns that were not sent have the value that they had before. Of a row that is gone they have none: it goes again later on. */
function put(before: Fate | undefined, values: Row, unsent: readonly number[]): Fate {
  if (before === undefined || unsent.length === 0) return { row: values, unsent }
  if ('goneKey' in before) return before
  const row = values.map((value, i) => (unsent.includes(i) ? (before.row[i] ?? null) : value))
  return { row, unsent: unsent.filter((i) => before.unsent.includes(i)) }
}

function blocksOf(
  columns: readonly SqlColumn[],
  keyAt: readonly number[],
  fates: readonly Fate[]
): Omit<Folded, 'isEmptied'> {
  const all = columns.map((_, i) => i)
  const deleted = fates.flatMap((fate) => ('goneKey' in fate ? [fate.goneKey] : []))
  const kept = fates.flatMap((fate) => ('goneKey' in fate ? [] : [fate]))
  const { whole = [], part = [] } = Object.groupBy(kept, ({ unsent }) => (unsent.length === 0 ? 'whole' : 'part'))
  const byUnsent = Map.groupBy(part, ({ unsent }) => unsent.join())
  const keyColumns = keyAt.map((i) => columns[i] as SqlColumn)
  return {
    deleted: blockOf(
      keyColumns,
      keyColumns.map((_, i) => i),
      deleted
    ),
    put: blockOf(columns, all, rowsOf(whole)),
    partial: [...byUnsent.values()].map((rows) => {
      const unsent = rows[0]?.unsent ?? []
      return blockOf(
        columns,
        all.filter((i) => !unsent.includes(i)),
        rowsOf(rows)
      )
    })
  }
}

const rowsOf = (fates: readonly { readonly row: Row }[]): Row[] => fates.map(({ row }) => row)

function blockOf(columns: readonly SqlColumn[], places: readonly number[], rows: readonly Row[]): Block {
  return {
    columns: places.map((i) => columns[i] as SqlColumn),
    values: places.map((i) => rows.map((row) => row[i] ?? null)),
    rows: rows.length
  }
}

function keyText(value: SqlValue): unknown {
  if (typeof value === 'bigint') return String(value)
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value
}
