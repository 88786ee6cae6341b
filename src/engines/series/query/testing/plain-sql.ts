import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { type BucketWidth, FILLS, type Fill, FUNCTIONS } from '../plan.ts'
import type { TestCase } from './points.ts'

/** A bucket, also without points; values are by fill and function, as `linear avg`. */
export interface SqlRow extends Record<string, number | null> {
  readonly start: number
  readonly points: number
  readonly good: number | null
}

const FIXED_NS: Partial<Record<BucketWidth['unit'], bigint>> = {
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n
}

/** Each function in SQL, over the points `p` of one bucket; `before` is the value of the point before. */
const FUNCTION_SQL = `avg(v) AS "avg", min(v) AS "min", max(v) AS "max", sum(v) AS "sum", count(*)::DOUBLE AS "count",
  arg_min(v, ns) AS "first", arg_max(v, ns) AS "last", stddev_samp(v) AS "stddev", quantile_cont(v, 0.5) AS "median",
  quantile_cont(v, 0.9) AS "p90", quantile_cont(v, 0.95) AS "p95", quantile_cont(v, 0.99) AS "p99",
  CASE WHEN count(*) > 1 THEN arg_max(v, ns) - arg_min(v, ns) END AS "delta",
  CASE WHEN count(*) > 1 THEN sum(CASE WHEN before IS NULL THEN 0 WHEN v < before THEN v ELSE v - before END)
    / ((max(ns) - min(ns)) / 1e9) END AS "rate"`

/** The same queries in plain SQL, for comparison. */
export class PlainSql {
  readonly #connection: DuckDBConnection
  readonly #zone: string

  private constructor(connection: DuckDBConnection, zone: string) {
    this.#connection = connection
    this.#zone = zone
  }

  /** `moments` are half hours around which there will be queries. */
  static async open(zone: string, moments: readonly bigint[]): Promise<PlainSql> {
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect()
    await connection.run(`CREATE MACRO floor_div(a, b) AS (a - (((a % b) + b) % b)) // b;
      CREATE MACRO local_date(ns) AS timezone('${zone}', make_timestamp(floor_div(ns, 1000)) AT TIME ZONE 'UTC')::DATE`)
    // Every bucket begins on a half hour: the first one that has its date in the zone.
    await connection.run(`CREATE TABLE half_hours AS SELECT ns, local_date(ns) AS date FROM (SELECT DISTINCT
      unnest(generate_series(m - 1100 * 86400000000000, m + 360 * 86400000000000, 1800000000000)) AS ns
      FROM (VALUES ${moments.map((moment) => `(${moment}::BIGINT)`).join()}) AS moments(m))`)
    return new PlainSql(connection, zone)
  }

  get zone(): string {
    return this.#zone
  }

  close(): void {
    this.#connection.closeSync()
  }

  async ask(question: TestCase): Promise<SqlRow[]> {
    const { fromNs, toNs, points, width } = question
    const values = points.map((point) => `(${point.ns}::BIGINT, ${point.value}::DOUBLE, ${point.quality})`)
    const sql = `WITH
      points(ns, v, q) AS (${values.length > 0 ? `VALUES ${values.join()}` : 'SELECT 0::BIGINT, 0::DOUBLE, 0 WHERE false'}),
      within AS (SELECT *, ${keySql(width)} AS b FROM (SELECT *, local_date(ns) AS date FROM points
        WHERE ns >= ${fromNs} AND ns < ${toNs})),
      p AS (SELECT *, lag(v) OVER (PARTITION BY b ORDER BY ns) AS before FROM within),
      found AS (SELECT b, count(*)::DOUBLE AS points, 100.0 * count(*) FILTER (q = 0) / count(*) AS good,
        ${FUNCTION_SQL} FROM p GROUP BY b),
      buckets AS (${bucketsSql(width, fromNs, toNs)})
      SELECT start::DOUBLE AS start, coalesce(points, 0) AS points, good::DOUBLE AS good,
        ${FILLS.flatMap((fill) => FUNCTIONS.map((name) => `${filledSql(name, fill)}::DOUBLE AS "${fill} ${name}"`)).join()}
      FROM buckets LEFT JOIN found USING (b) ORDER BY start`
    return (await this.#connection.runAndReadAll(sql)).getRowObjects() as unknown as SqlRow[]
  }
}

/** The bucket of a time `ns` that has the local date `date`. */
function keySql({ count, unit }: BucketWidth): string {
  const fixedNs = FIXED_NS[unit]
  if (fixedNs !== undefined) return `floor_div(ns, ${BigInt(count) * fixedNs})`
  if (unit === 'd') return `floor_div(date - DATE '1970-01-01', ${count})`
  if (unit === 'w') return `floor_div(date - DATE '1969-12-29', ${7 * count})`
  return unit === 'y'
    ? `floor_div(year(date) - 1970, ${count})`
    : `floor_div(12 * (year(date) - 1970) + month(date) - 1, ${count})`
}

function bucketsSql(width: BucketWidth, fromNs: bigint, toNs: bigint): string {
  const fixedNs = FIXED_NS[width.unit]
  if (fixedNs !== undefined) {
    const widthNs = BigInt(width.count) * fixedNs
    return `SELECT b, b * ${widthNs / 1_000_000n} AS start FROM (SELECT unnest(generate_series(
      floor_div(${fromNs}::BIGINT, ${widthNs}), floor_div(${toNs - 1n}::BIGINT, ${widthNs}))) AS b)`
  }
  return `SELECT b, min(ns) // 1000000 AS start FROM (SELECT ns, ${keySql(width)} AS b FROM half_hours)
    WHERE b IN (SELECT ${keySql(width)} FROM (SELECT ns, date FROM half_hours WHERE ns >= ${fromNs} AND ns < ${toNs}
      UNION ALL SELECT ns, local_date(ns) FROM (VALUES (${fromNs}::BIGINT), (${toNs - 1n}::BIGINT)) AS ends(ns)))
    GROUP BY b`
}

function filledSql(name: string, fill: Fill): string {
  const value = `"${name}"`
  const empty = (filled: string) => `(CASE WHEN points > 0 THEN ${value} ELSE ${filled} END)`
  if (name === 'count') return `coalesce(${value}, 0)`
  const before = (what: string) => `last_value(${what} IGNORE NULLS) OVER (ORDER BY start)`
  if (fill === 'previous') return empty(before(value))
  if (fill !== 'linear') return value
  const after = (what: string) =>
    `first_value(${what} IGNORE NULLS) OVER (ORDER BY start ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)`
  const startIfKnown = `CASE WHEN ${value} IS NOT NULL THEN start END`
  return empty(`${before(value)} + (${after(value)} - ${before(value)}) * (start - ${before(startIfKnown)})
    / (${after(startIfKnown)} - ${before(startIfKnown)})`)
}
