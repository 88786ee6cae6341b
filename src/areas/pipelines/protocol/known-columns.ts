import { nearestName } from '../../../data/nearest-name.ts'

/** Columns that a correction may speak of. */
export interface KnownColumns {
  readonly names: readonly string[]
  /** Whether there can be no others; where not all records were looked at, only what is like a name that is there is wrong. */
  readonly areAll: boolean
}

/** What is wrong with the name of a column; undefined where nothing is. */
export function unknownColumn(name: string, { names, areAll }: KnownColumns): string | undefined {
  if (names.some((known) => known.toLowerCase() === name.toLowerCase())) return undefined
  const meant = nearestName(name, names)
  if (meant === undefined && !areAll) return undefined
  const what = `${name.slice(0, 63)}: no record that waits has such a column, and no node speaks of it`
  return meant === undefined ? what : `${what}; there is ${meant}`
}
