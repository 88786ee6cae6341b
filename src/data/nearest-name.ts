const MAX_CHARS = 100

/** The name that somebody may have meant who mistyped it; undefined where no name is similar. */
export function nearestName(written: string, names: Iterable<string>): string | undefined {
  const wanted = written.toLowerCase().slice(0, MAX_CHARS)
  let nearest: { readonly name: string; readonly distance: number } | undefined
  for (const name of names) {
    const distance = distanceOf(wanted, name.toLowerCase().slice(0, MAX_CHARS))
    if (distance !== undefined && (nearest === undefined || distance < nearest.distance)) nearest = { name, distance }
  }
  return nearest?.name
}

/** Undefined where the names are too different: in more than a third, and neither is the beginning of the other. */
function distanceOf(a: string, b: string): number | undefined {
  const longer = Math.max(a.length, b.length)
  const steps = editsBetween(a, b)
  if (steps === 0) return 0
  // A name that was cut short is nearer than one with another letter.
  const isBeginning = Math.min(a.length, b.length) >= 3 && (a.startsWith(b) || b.startsWith(a))
  if (isBeginning) return 1
  return steps <= Math.max(1, Math.floor(longer / 3)) && steps < longer ? steps + 1 : undefined
}

/** How many letters have to be put in, taken out, changed or swapped with the next. */
function editsBetween(a: string, b: string): number {
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      next.push(
        Math.min(
          (row[j] as number) + 1,
          (next[j - 1] as number) + 1,
          (row[j - 1] as number) + (isSame ? 0 : 1),
          isSwapped ? (before[j - 2] as number) + 1 : Number.POSITIVE_INFINITY
        )
      )
    }
    ;[before, row] = [row, next]
  }
  return row[b.length] as number
}
