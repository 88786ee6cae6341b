/** A name of SNMP in one spelling: numbers with dots between them, and none before the first. */
export const plainOid = (oid: string): string => (oid.startsWith('.') ? oid.slice(1) : oid)

/** What follows a prefix; undefined where the name does not lie below it. */
export const below = (oid: string, prefix: string): string | undefined =>
  oid.startsWith(`${prefix}.`) ? oid.slice(prefix.length + 1) : undefined

/** The order in which agents answer: number by number, and what is shorter first. */
export function compareOids(a: string, b: string): number {
  const [left, right] = [a.split('.'), b.split('.')]
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const difference = Number(left[at]) - Number(right[at])
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
