import type { SeriesFunction } from '../query/plan.ts'

/** One function over the points of a bucket, as a double; NaN where it has no value. */
export function functionSql(name: SeriesFunction, value: string): string {
  switch (name) {
    case 'count':
      return 'toFloat64(count())'
    case 'first':
      return `argMin(${value}, time)`
    case 'last':
      return `argMax(${value}, time)`
    case 'delta':
      return `if(count() = 1, nan, argMax(${value}, time) - argMin(${value}, time))`
    case 'stddev':
      return deviation(value)
    case 'median':
      return percentile(value, 0.5)
    case 'p90':
      return percentile(value, 0.9)
    case 'p95':
      return percentile(value, 0.95)
    case 'p99':
      return percentile(value, 0.99)
    case 'rate':
      return rate(value)
    default:
      return `${name}(${value})`
  }
}

/**
 * In two passes, which stays exact far from zero. ClickHouse's own function fails between shards in Debian's version.
 */
function deviation(value: string): string {
  const values = `groupArray(${value})`
  const mean = `(arraySum(${values}) / count())`
  const squares = `arrayMap((v, m) -> (v - m) * (v - m), ${values}, arrayMap(v -> ${mean}, ${values}))`
  return `if(count() = 1, nan, sqrt(arraySum(${squares}) / toFloat64(count() - 1)))`
}

/** Interpolated between the closest ranks. ClickHouse's own exact quantiles do not interpolate in Debian's version. */
function percentile(value: string, share: number): string {
  const sorted = `arraySort(groupArray(${value}))`
  const rank = `(toFloat64(count() - 1) * ${share})`
  const below = `${sorted}[toUInt64(floor(${rank})) + 1]`
  const above = `${sorted}[toUInt64(ceil(${rank})) + 1]`
  return `(${below} + (${above} - ${below}) * (${rank} - floor(${rank})))`
}

/** Change per second; a fall means that a counter restarted at zero. */
function rate(value: string): string {
  const values = `arrayMap(p -> p.2, arraySort(p -> p.1, groupArray((time, ${value}))))`
  const steps = `arrayMap((a, b) -> if(b < a, b, b - a), arrayPopBack(${values}), arrayPopFront(${values}))`
  // Unsigned, because the distance between the first and last possible time exceeds a signed number.
  return `if(count() = 1, nan, arraySum(${steps}) / (toFloat64(toUInt64(max(time) - min(time))) / 1e9))`
}
