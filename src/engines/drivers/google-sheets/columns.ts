import type { StreamColumn } from '../index.ts'
import type { Cell } from './sheets.ts'

/** The number of a record's row in its sheet. */
export const ROW = '_row'

/** A column of a sheet that has a name. */
export interface NamedColumn {
  readonly name: string
  /** Its place in a row, from 0 on. */
  readonly at: number
}

/** The columns that have a name in the first row; of those with the same name the second is called `name_2`. */
export function columnsIn(header: readonly Cell[]): NamedColumn[] {
  const used = new Set([ROW])
  return header.flatMap((cell, at) => {
    const name = String(cell).trim()
    if (name === '') return []
    let unique = name
    for (let number = 2; used.has(unique); number++) unique = `${name}_${number}`
    used.add(unique)
    return [{ name: unique, at }]
  })
}

/** Any cell may hold anything, so that all of them are text. */
export const streamColumns = (columns: readonly NamedColumn[]): StreamColumn[] => [
  { name: ROW, type: 'bigint', nullable: false },
  ...columns.map(({ name }): StreamColumn => ({ name, type: 'text', nullable: true }))
]

/** The cell as text; an empty one is null. */
export const textOf = (cell: Cell | null | undefined): string | null =>
  cell === undefined || cell === null || cell === '' ? null : String(cell)
