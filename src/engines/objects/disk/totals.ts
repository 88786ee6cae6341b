import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { layoutOf } from './layout.ts'

export interface StoreTotals {
  readonly objects: number
  readonly bytes: number
}

/** The total size of a store: one row is read. Undefined where no version that records it has opened the store yet. */
export function totalsOf(folder: string): StoreTotals | undefined {
  const { index: file } = layoutOf(folder)
  if (!existsSync(file)) return undefined
  const index = new DatabaseSync(file, { readOnly: true, timeout: 1000 })
  try {
    const isKept = index.prepare(`select 1 from sqlite_schema where name = 'totals'`).get() !== undefined
    if (!isKept) return undefined
    return index.prepare('select objects, bytes from totals').get() as unknown as StoreTotals | undefined
  } finally {
    index.close()
  }
}
