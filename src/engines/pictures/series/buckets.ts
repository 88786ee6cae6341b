import type { Span } from '../numbers/ticks.ts'
import { type Grid, placesOf } from './grid.ts'
import type { Series } from './series.ts'

/**
 * How many values of all series lie in each of so many equal ranges of values, at each place: a row for each range, the one
 * of the greatest values first. NaN where there are none; values outside of the span are left out.
 */
export function bucketsOf(series: readonly Series[], { from, to }: Span, buckets: number, maxPlaces: number): Grid {
  const { xs, width, placeOf } = placesOf(series, maxPlaces)
  const rows = Array.from({ length: buckets }, () => new Float64Array(xs.length).fill(Number.NaN))
  for (const { xs: places, ys } of series) {
    for (const [i, y] of ys.entries()) {
      if (!(y >= from && y <= to)) continue
      const part = y / (to - from) - from / (to - from)
      const row = rows[buckets - 1 - Math.min(buckets - 1, Math.floor(part * buckets))] as Float64Array
      const place = placeOf(places[i] as number)
      row[place] = (row[place] || 0) + 1
    }
  }
  return { xs, width, rows }
}
