import type { Query } from '../plan.ts'
import type { TagRows } from '../rows.ts'

/** A query for hourly averages of the first hours of 2026, as JSON, unless told otherwise. */
export function queryOf(changes: Partial<Query> = {}): Query {
  return {
    sourceId: 'plant',
    tags: undefined,
    fromNs: 1_767_225_600_000_000_000n,
    toNs: 1_767_240_000_000_000_000n,
    bucket: { count: 1, unit: 'h' },
    functions: ['avg'],
    fill: 'none',
    maxPoints: undefined,
    timeZone: 'UTC',
    format: 'json',
    units: {},
    aggregation: '1h',
    limitPoints: 1_000_000,
    ...changes
  }
}

/** Rows with one column; null where there is no value. */
export function rowsOf(
  ms: readonly number[],
  values: readonly (number | null)[],
  changes: Partial<TagRows> = {}
): TagRows {
  return {
    tag: 'temperature',
    type: 'float',
    length: ms.length,
    ms: Float64Array.from(ms),
    subMsNs: undefined,
    columns: [Float64Array.from(values, (value) => value ?? Number.NaN)],
    exact: [undefined],
    counts: undefined,
    quality: undefined,
    percentGood: undefined,
    pointsRead: ms.length,
    ...changes
  }
}
