import type { DuckDBConnection } from '@duckdb/node-api'
import { runCounted } from '../../duckdb/database.ts'

/** Names that no column of a user's has. */
export const KEY = '"millrace:key"'
/** Microseconds. */
export const TIME = '"millrace:time"'
/** The place of the record in its batch. */
export const NTH = '"millrace:nth"'

export interface FirstsQuery {
  readonly batch: string
  /** The table to be made of the places of records that go on. */
  readonly firsts: string
  /** The keys that went on earlier. */
  readonly seen: string | undefined
}

/** Of each key that has never been there, the first record. */
export async function findFirsts(database: DuckDBConnection, { batch, firsts, seen }: FirstsQuery): Promise<void> {
  const isNew = seen === undefined ? 'true' : `${KEY} NOT IN (SELECT ${KEY} FROM ${seen})`
  await database.run(
    `CREATE OR REPLACE TABLE ${firsts} AS SELECT min(${NTH}) AS nth, NULL::BIGINT AS newest FROM ${batch} WHERE ${isNew} GROUP BY ${KEY}`
  )
}

/**
 * The records whose key did not go on within a time, one after the other, whatever batches they come in. Each record that goes
 * on covers those after it until the greatest time seen is too far from its own; `next` is the first that it does not cover.
 * From records that certainly go on, because none before them reaches so far, the others are found along `next`, in strides
 * that double: so many rounds as the length of the longest chain has binary digits.
 */
export async function findRecentFirsts(
  database: DuckDBConnection,
  query: FirstsQuery & { readonly withinUs: bigint; readonly newest: bigint | undefined }
): Promise<void> {
  const { firsts } = query
  const rows = `${firsts.slice(0, -1)}:rows"`
  let strides = `${firsts.slice(0, -1)}:strides"`
  let longer = `${firsts.slice(0, -1)}:longer"`
  await database.run(`CREATE OR REPLACE TABLE ${rows} AS ${candidates(query)}`)
  await database.run(`CREATE OR REPLACE TABLE ${strides} AS ${nextOf(rows, query.withinUs)}`)
  await database.run(`CREATE OR REPLACE TABLE ${firsts} AS SELECT nth, newest FROM ${rows} WHERE is_start`)
  const stride = () =>
    runCounted(
      database,
      `INSERT INTO ${firsts} SELECT s.next, r.newest FROM ${firsts} f JOIN ${strides} s ON f.nth = s.nth JOIN ${rows} r ON r.nth = s.next`
    )
  while ((await stride()) > 0) {
    await database.run(
      `CREATE OR REPLACE TABLE ${longer} AS SELECT a.nth, b.next FROM ${strides} a JOIN ${strides} b ON a.next = b.nth`
    )
    ;[strides, longer] = [longer, strides]
  }
  for (const table of [rows, strides, longer]) await database.run(`DROP TABLE IF EXISTS ${table}`)
}

/** The records that no earlier batch covers, with the greatest time up to each. */
function candidates({ batch, seen, withinUs, newest }: Parameters<typeof findRecentFirsts>[1]): string {
  const sofar = `max(${TIME}) OVER (ORDER BY ${NTH} ROWS UNBOUNDED PRECEDING)`
  const timed = `SELECT ${NTH} AS nth, ${KEY} AS key, ${TIME} AS us, coalesce(greatest(${sofar}, ${newest ?? 'NULL'}::BIGINT), 0) AS newest FROM ${batch}`
  const known = seen === undefined ? 'SELECT NULL::VARCHAR AS key, 0 AS last LIMIT 0' : lastSeen(seen)
  const open = `SELECT t.nth, t.key, coalesce(t.us, t.newest) AS us, t.newest FROM (${timed}) t LEFT JOIN (${known}) k ON t.key = k.key WHERE k.last IS NULL OR k.last < t.newest - ${withinUs}`
  const before = 'OVER (PARTITION BY key ORDER BY nth ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)'
  return `SELECT *, coalesce(max(us) ${before} < newest - ${withinUs}, true) AS is_start, lead(nth) OVER (PARTITION BY key ORDER BY nth) AS following FROM (${open})`
}

const lastSeen = (seen: string): string => `SELECT ${KEY} AS key, max(${TIME}) AS last FROM ${seen} GROUP BY ${KEY}`

/** Each record with the first after it that it does not cover, unless that goes on anyway. */
function nextOf(rows: string, withinUs: bigint): string {
  const steps = `SELECT key, newest, min(nth) AS nth FROM ${rows} GROUP BY key, newest`
  const found = `SELECT r.nth, CASE WHEN r.us + ${withinUs} < r.newest THEN r.following ELSE s.nth END AS next
    FROM ${rows} r ASOF LEFT JOIN (${steps}) s ON r.key = s.key AND r.us + ${withinUs} < s.newest`
  return `SELECT f.nth, f.next FROM (${found}) f JOIN ${rows} n ON f.next = n.nth WHERE NOT n.is_start`
}
