/**
 * Largest triangle three buckets: selects at most `limit` of the points `(x, y)`, with the first and the last, so
 * that their line looks like that of all. The points between are divided into groups of equal size; of each group the
 * point is taken that spans the largest triangle with the point taken before and the middle of the next group.
 * Returns indexes.
 */
export function largestTriangles(x: Float64Array, y: Float64Array, limit: number): Int32Array {
  const count = x.length
  if (count <= limit) return Int32Array.from(x, (_, place) => place)
  if (limit < 3) return Int32Array.from([0, count - 1].slice(0, limit))
  const taken = new Int32Array(limit)
  const groupStart = (group: number) => 1 + Math.floor((group * (count - 2)) / (limit - 2))
  let last = 0
  for (let group = 0; group < limit - 2; group++) {
    const nextEnd = Math.min(groupStart(group + 2), count)
    last = largest(x, y, last, groupStart(group), groupStart(group + 1), nextEnd)
    taken[group + 1] = last
  }
  taken[limit - 1] = count - 1
  return taken
}

/** The largest triangle of the points `[from, to)`; the next group is `[to, nextEnd)`. */
function largest(x: Float64Array, y: Float64Array, last: number, from: number, to: number, nextEnd: number): number {
  const lastX = x[last] as number
  const lastY = y[last] as number
  const aheadX = meanOf(x, to, nextEnd) - lastX
  const aheadY = meanOf(y, to, nextEnd) - lastY
  let best = from
  let bestArea = -1
  for (let at = from; at < to; at++) {
    const area = Math.abs(aheadX * ((y[at] as number) - lastY) - ((x[at] as number) - lastX) * aheadY)
    if (area > bestArea) {
      best = at
      bestArea = area
    }
  }
  return best
}

function meanOf(values: Float64Array, from: number, to: number): number {
  let sum = 0
  for (let at = from; at < to; at++) sum += values[at] as number
  return sum / (to - from)
}
