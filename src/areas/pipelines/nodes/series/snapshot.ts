import { mkdir, rm } from 'node:fs/promises'
import { sqlTexts } from '../../../../data/relation.ts'
import type { NodeContext } from '../../contract/context.ts'
import type { Column } from '../../duckdb/columns.ts'

const MAX_BATCH_ROWS = 1_000_000
/** A span with too many points is cut into so many of equal length. */
const PIECES = 1000n

export const POINT_COLUMNS: readonly Column[] = [
  { name: 'time', type: 'TIMESTAMP_NS' },
  { name: 'tag', type: 'VARCHAR' },
  { name: 'value', type: 'DOUBLE' },
  { name: 'text', type: 'VARCHAR' },
  { name: 'quality', type: 'VARCHAR' }
]

/** A file lacks a column that says the same of all its points. */
const NO_POINTS =
  'SELECT NULL::VARCHAR AS tag, NULL::TIMESTAMP_NS AS time, NULL::DOUBLE AS value, NULL::VARCHAR AS text, NULL::UTINYINT AS quality WHERE false'
const QUALITY = "['good', 'uncertain', 'bad'][coalesce(quality, 0) + 1]"

export interface PointsQuery {
  readonly source: string
  readonly tags: readonly string[] | undefined
  /** A folder for the files of this snapshot alone. */
  readonly folder: string
  /** Nanoseconds; points after this one, up to that. */
  readonly after: bigint
  readonly end: bigint
}

interface Span {
  readonly after: bigint
  readonly to: bigint
  readonly rows: number
}

/** The points of a source as they are at one moment, in files, cut by time into parts that make batches. */
export class SeriesSnapshot {
  readonly #query: PointsQuery
  readonly #points: string
  readonly #spans: Span[]
  #unreleased = 0
  #isDone = false

  private constructor(query: PointsQuery, points: string, spans: Span[]) {
    this.#query = query
    this.#points = points
    this.#spans = spans
  }

  static async open(context: NodeContext<unknown>, query: PointsQuery): Promise<SeriesSnapshot> {
    const { source, tags, folder, after, end } = query
    await mkdir(folder, { recursive: true })
    try {
      const files = await context.gateway.exportSeries(source, tags, folder)
      const points = selectPoints(files, tags)
      const spans = files.length === 0 ? [] : await cut(context, points, after, end)
      return new SeriesSnapshot(query, points, spans)
    } catch (error) {
      await rm(folder, { recursive: true, force: true })
      throw error
    }
  }

  /** The next part; undefined where there is none. */
  take(): { sql: string; rows: number; to: bigint } | undefined {
    const span = this.#spans.shift()
    if (span === undefined) return undefined
    this.#unreleased += 1
    const sql = `SELECT time, tag, value, text, ${QUALITY} AS quality FROM (${this.#points}) WHERE ${between(span)} ORDER BY time, tag`
    return { sql, rows: span.rows, to: span.to }
  }

  async release(): Promise<void> {
    this.#unreleased -= 1
    if (this.#isDone && this.#unreleased === 0) await this.#remove()
  }

  /** Nothing more is taken; the files go with the last part that is given back. */
  async done(): Promise<void> {
    this.#isDone = true
    if (this.#unreleased === 0) await this.#remove()
  }

  async #remove(): Promise<void> {
    await rm(this.#query.folder, { recursive: true, force: true })
  }
}

function selectPoints(files: readonly string[], tags: readonly string[] | undefined): string {
  if (files.length === 0) return NO_POINTS
  const all = `${NO_POINTS} UNION ALL BY NAME SELECT * FROM read_parquet(${sqlTexts(files)}, union_by_name = true, hive_partitioning = false)`
  return tags === undefined ? all : `SELECT * FROM (${all}) WHERE tag IN (SELECT unnest(${sqlTexts(tags)}))`
}

const between = ({ after, to }: Pick<Span, 'after' | 'to'>): string =>
  `time > make_timestamp_ns(${after}) AND time <= make_timestamp_ns(${to})`

/** Spans of time with at most a batch of points each, or of a single moment. */
async function cut({ database, signal }: NodeContext<unknown>, points: string, after: bigint, end: bigint) {
  const spans: Span[] = []
  const left: Pick<Span, 'after' | 'to'>[] = [{ after, to: end }]
  for (let span = left.pop(); span !== undefined; span = left.pop()) {
    signal.throwIfAborted()
    const reader = await database.runAndReadAll(
      `SELECT count(*), epoch_ns(min(time)), epoch_ns(max(time)) FROM (${points}) WHERE ${between(span)}`
    )
    const [count, first, last] = reader.getRows()[0] as [bigint, bigint | null, bigint | null]
    if (first === null || last === null) continue
    const rows = Number(count)
    const whole = { after: first - 1n, to: last }
    if (rows <= MAX_BATCH_ROWS || first === last) spans.push({ ...whole, rows })
    else left.push(...(await halves(database, points, whole)).toReversed())
  }
  return spans
}

/** Two parts or more of a span with too many points, each with as many as fit or to be cut again. */
async function halves(
  database: NodeContext<unknown>['database'],
  points: string,
  { after, to }: Pick<Span, 'after' | 'to'>
): Promise<Pick<Span, 'after' | 'to'>[]> {
  const width = (to - after) / PIECES + 1n
  const reader = await database.runAndReadAll(
    `SELECT ((epoch_ns(time)::HUGEINT - ${after + 1n}) // ${width})::BIGINT AS piece, count(*) FROM (${points}) WHERE ${between({ after, to })} GROUP BY piece ORDER BY piece`
  )
  const parts: { after: bigint; to: bigint; rows: number }[] = []
  for (const [piece, count] of reader.getRows() as [bigint, bigint][]) {
    const ends = after + (piece + 1n) * width
    const last = parts.at(-1)
    const rows = Number(count)
    if (last !== undefined && last.rows + rows <= MAX_BATCH_ROWS)
      parts[parts.length - 1] = { ...last, to: ends, rows: last.rows + rows }
    else parts.push({ after: last?.to ?? after, to: ends, rows })
  }
  return parts.map((part) => ({ after: part.after, to: part.to < to ? part.to : to }))
}
