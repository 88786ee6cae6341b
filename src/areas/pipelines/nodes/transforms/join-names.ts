import type { Column } from '../../duckdb/columns.ts'

/** What the columns of the second input are called: those that the first has too end with `_right`. */
export function namesOf(left: readonly Column[], right: readonly Column[]): string[] {
  const taken = new Set(left.map(({ name }) => name.toLowerCase()))
  return right.map(({ name }) => {
    let free = name
    for (let n = 1; taken.has(free.toLowerCase()); n++) free = n === 1 ? `${name}_right` : `${name}_right_${n}`
    taken.add(free.toLowerCase())
    return free
  })
}
