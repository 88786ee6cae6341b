import type { DataPage } from './pages.ts'

/** The values of a page; rows without a value are left out. */
export interface Values<Out> {
  fill(out: Out, at: number, from: number, count: number): void
  /** One of the values, if it can be read without those before it. */
  at?(from: number): number
}

/** The values of a column in one row group, after the file was read. */
export interface Column<Out> {
  readonly sizeBytes: number
  fill(out: Out, at: number, row: number, count: number): void
}

export interface ColumnPage<Out> {
  readonly page: DataPage
  readonly values: Values<Out>
}

/** Joins pages, with `empty` for rows without a value. */
export function columnOf<T, Out extends { [index: number]: T }>(
  pages: readonly ColumnPage<Out>[],
  sizeBytes: number,
  empty: T
): Column<Out> {
  return {
    sizeBytes,
    fill(out, at, row, count) {
      let first = 0
      for (const { page, values } of pages) {
        const from = Math.max(row, first)
        const length = Math.min(row + count, first + page.rowCount) - from
        if (length > 0) fillPage(page, values, out, at + from - row, from - first, length, empty)
        first += page.rowCount
      }
    }
  }
}

function fillPage<T, Out extends { [index: number]: T }>(
  { before }: DataPage,
  values: Values<Out>,
  out: Out,
  at: number,
  row: number,
  count: number,
  empty: T
): void {
  if (before === undefined) {
    values.fill(out, at, row, count)
    return
  }
  const from = before[row] as number
  let left = (before[row + count] as number) - from
  if (left > 0) values.fill(out, at, from, left)
  // From the end, so that no value is overwritten before it was moved.
  for (let i = count - 1; i >= 0; i -= 1) {
    const present = (before[row + i + 1] as number) > (before[row + i] as number)
    out[at + i] = present ? (out[at + --left] as T) : empty
  }
}
