/** Databases ignore case for Latin letters only: K is not the Kelvin sign. */
export const folded = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

export const isSameName = (one: string, other: string): boolean => one === other || folded(one) === folded(other)

/** `schema.table`; a part with a dot of its own is quoted, unless it stands alone. */
export const joined = (path: readonly string[]): string =>
  path.length === 1
    ? (path[0] as string)
    : path.map((part) => (/[."]/.test(part) ? `"${part.replaceAll('"', '""')}"` : part)).join('.')

/** Names that a database gives to columns of the same name: `a`, `a_1`, `a_2`. */
export function distinctNames(names: readonly string[]): string[] {
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return names.map((name) => {
    let free = name
    let count = counts.get(folded(name)) ?? 1
    for (; taken.has(folded(free)); count++) free = `${name}_${count}`
    counts.set(folded(name), count)
    taken.add(folded(free))
    return free
  })
}
