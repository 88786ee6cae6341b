import type { Series } from './series.ts'

/** Of one column of pixels: the first, the least, the greatest and the last value. */
const POINTS_EACH = 4

/** Pairs of x and y; NaN as y is where a line is broken. */
export type Points = readonly (readonly [number, number])[]

/**
 * The points of a series, or where there are more than that, so few of them that the line looks the same: of each of as
 * many equal parts of its places, those that a line through all of them would reach. A part without a value is a gap.
 */
export function reduced({ xs, ys }: Series, maxPoints: number): Points {
  if (xs.length <= maxPoints) return Array.from(xs, (x, i) => [x, ys[i] as number] as const)
  const parts = Math.max(1, Math.floor(maxPoints / POINTS_EACH))
  const [from, to] = [xs[0] as number, xs.at(-1) as number]
  const width = (to - from) / parts || 1
  const points: (readonly [number, number])[] = []
  let start = 0
  for (let part = 0; part < parts; part++) {
    let end = start
    const border = part === parts - 1 ? Number.POSITIVE_INFINITY : from + (part + 1) * width
    while (end < xs.length && (xs[end] as number) < border) end++
    if (end > start) addPart(points, xs, ys, start, end)
    start = end
  }
  return points
}

function addPart(
  points: (readonly [number, number])[],
  xs: Float64Array,
  ys: Float64Array,
  start: number,
  end: number
) {
  let [first, least, greatest, last] = [-1, -1, -1, -1]
  for (let i = start; i < end; i++) {
    const y = ys[i] as number
    if (Number.isNaN(y)) continue
    if (first === -1) [first, least, greatest] = [i, i, i]
    if (y < (ys[least] as number)) least = i
    if (y > (ys[greatest] as number)) greatest = i
    last = i
  }
  if (first === -1) points.push([xs[start] as number, Number.NaN])
  const kept = [...new Set([first, least, greatest, last])].filter((i) => i !== -1).sort((a, b) => a - b)
  for (const i of kept) points.push([xs[i] as number, ys[i] as number])
}
