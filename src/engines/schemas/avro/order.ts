/** Whether what is in both lists stands in another order in one. */
export function isReordered(before: readonly string[], after: readonly string[]): boolean {
  const places = new Map(before.map((name, index) => [name, index]))
  let last = -1
  for (const name of after) {
    const place = places.get(name)
    if (place === undefined) continue
    if (place < last) return true
    last = place
  }
  return false
}
