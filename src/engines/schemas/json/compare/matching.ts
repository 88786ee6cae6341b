/**
 * As many pairs as possible of rows and columns that may be paired, none in two pairs. For each row its column, or -1.
 * Prefers the same position, so that what stands at its old place is compared with what stood there.
 */
export function matching(allowed: readonly (readonly boolean[])[], columns: number): number[] {
  const columnOf = allowed.map(() => -1)
  const rowOf = new Array<number>(columns).fill(-1)

  function place(row: number, tried: Set<number>): boolean {
    for (const column of candidates(row)) {
      if (tried.has(column)) continue
      tried.add(column)
      const other = rowOf[column] as number
      if (other !== -1 && !place(other, tried)) continue
      rowOf[column] = row
      columnOf[row] = column
      return true
    }
    return false
  }

  function candidates(row: number): number[] {
    const found: number[] = allowed[row]?.[row] ? [row] : []
    for (let column = 0; column < columns; column++) {
      if (column !== row && allowed[row]?.[column]) found.push(column)
    }
    return found
  }

  for (let row = 0; row < allowed.length; row++) {
    if (allowed[row]?.[row]) {
      rowOf[row] = row
      columnOf[row] = row
    }
  }
  for (let row = 0; row < allowed.length; row++) if (columnOf[row] === -1) place(row, new Set())
  return columnOf
}
