import { largestTriangles } from './lttb.ts'
import { NS_PER_MS } from './ns.ts'
import { pickRows } from './pick-rows.ts'
import type { TagRows } from './rows.ts'

/**
 * At most so many rows of a tag, chosen so that a chart of the first column looks the same. A run of rows without a
 * value becomes one row, so that the gap stays visible; where there are too many gaps, the longest are kept. Rows of
 * texts are taken at even distances.
 */
export function downsample(rows: TagRows, maxPoints: number): TagRows {
  if (rows.length <= maxPoints) return rows
  if (rows.type === 'string' && rows.exact[0] !== undefined) return pickRows(rows, evenly(rows.length, maxPoints))
  const { values, gaps } = divide(rows)
  const room = Math.max(Math.floor((maxPoints - 2) / 2), maxPoints - values.length, 0)
  const shown = gaps.length <= room ? gaps : longest(gaps, room)
  const taken = largestTriangles(timesOf(rows, values), valuesOf(rows, values), maxPoints - shown.length)
  const places = [...Array.from(taken, (place) => values[place] as number), ...shown.map((gap) => gap.row)]
  return pickRows(rows, Int32Array.from(places).sort())
}

interface Gap {
  readonly row: number
  length: number
}

/** The rows that have a value, and the runs of those that have none. */
function divide(rows: TagRows): { readonly values: readonly number[]; readonly gaps: readonly Gap[] } {
  const values: number[] = []
  const gaps: Gap[] = []
  let gap: Gap | undefined
  for (let row = 0; row < rows.length; row++) {
    if (!Number.isNaN(rows.columns[0]?.[row])) {
      values.push(row)
      gap = undefined
    } else if (gap !== undefined) {
      gap.length++
    } else {
      gap = { row, length: 1 }
      gaps.push(gap)
    }
  }
  return { values, gaps }
}

function longest(gaps: readonly Gap[], count: number): readonly Gap[] {
  return gaps.toSorted((a, b) => b.length - a.length).slice(0, count)
}

function timesOf(rows: TagRows, places: readonly number[]): Float64Array {
  const first = rows.ms[0] as number
  return Float64Array.from(places, (row) => (rows.ms[row] as number) - first + (rows.subMsNs?.[row] ?? 0) / NS_PER_MS)
}

function valuesOf(rows: TagRows, places: readonly number[]): Float64Array {
  return Float64Array.from(places, (row) => rows.columns[0]?.[row] as number)
}

function evenly(count: number, limit: number): Int32Array {
  const step = limit > 1 ? (count - 1) / (limit - 1) : 0
  return Int32Array.from({ length: limit }, (_, place) => Math.round(place * step))
}
