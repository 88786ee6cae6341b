import type { Sighting } from '../sighting.ts'

/**
 * What depends on a column, and how far it is: by the rule alone, from sightings that all hold, until nothing gets nearer.
 * `names` are pairs of names of the same data.
 */
export function naiveImpact(
  sightings: readonly Sighting[],
  names: readonly { readonly from: string; readonly to: string }[],
  root: { readonly reference: string; readonly column: string }
): Map<string, number> {
  const nodes = new Map<string, number>()
  const states = new Map<string, number>()
  let isNearer = true
  const come = (map: Map<string, number>, name: string, distance: number) => {
    if (distance >= (map.get(name) ?? Number.POSITIVE_INFINITY)) return
    map.set(name, distance)
    isNearer = true
  }
  const reach = (reference: string, column: string | null, distance: number) => {
    come(nodes, reference, distance)
    come(states, JSON.stringify([reference, column]), distance)
  }
  reach(root.reference, root.column, 0)
  while (isNearer) {
    isNearer = false
    for (const [state, distance] of [...states]) {
      const [reference, column] = JSON.parse(state) as [string, string | null]
      for (const { job, inputs, outputs, columns } of sightings) {
        const isRead = inputs.some((data) => data.reference === reference)
        const own = columns.filter(({ from }) => from.reference === reference)
        if (column === null && job.reference === reference) {
          for (const data of outputs) reach(data.reference, null, distance + 1)
        }
        if (isRead && (column === null || own.length === 0)) reach(job.reference, null, distance + 1)
        for (const { from, to } of column === null ? [] : own) {
          if (from.column !== null && from.column !== column) continue
          come(nodes, job.reference, distance + 1)
          reach(to.reference, to.column, distance + 2)
        }
      }
      for (const { from, to } of names) if (from === reference) reach(to, column, distance + 1)
    }
  }
  nodes.delete(root.reference)
  return nodes
}
