import { sqlName, sqlText } from '../../../../data/relation.ts'
import { CONSTANT } from '../../contract/config-parts.ts'
import type { Gateway, SeriesWritten } from '../../contract/gateway.ts'
import type { DrySink, Sink, SinkContext, SinkRejected, Wrote } from '../../contract/sink.ts'
import { ROW } from '../../contract/source.ts'
import { tableName } from '../../contract/state-table.ts'
import type { Flow } from '../../contract/steps.ts'
import { firstRow, runCounted } from '../../duckdb/database.ts'
import { WRONG_TYPE, wrongType } from '../../records/column-types.ts'
import { asText } from '../../records/told-columns.ts'
import type { SeriesSinkConfig } from './sink.ts'

/** Bytes of the text of one write. */
const PIECE_BYTES = 4 * 1024 * 1024
/** DuckDB keeps so many rows together, and has vectors of 2,048: pieces that divide the one by the other are read in order. */
const PIECE_ROWS = [61_440, 30_720, 20_480, 10_240, 4096, 2048]
/** Rough length of the time, the number and what stands between them. */
const LINE_BYTES = 50

export function openSeriesDelivery(context: SinkContext<SeriesSinkConfig>): Sink {
  return new SeriesDelivery(context, (...points) => context.gateway.writeSeries(...points))
}

export async function drySeriesDelivery(context: SinkContext<SeriesSinkConfig>): Promise<DrySink> {
  const judge: Offer = (...points) => context.gateway.judgeSeries(...points)
  const isThere = await judge(context.config.source, 'ndjson', new Uint8Array()).then(...OUTCOMES)
  return { sink: new SeriesDelivery(context, isThere ? judge : takeAll), asked: isThere ? 'all' : 'own' }
}

type Offer = (...points: Parameters<Gateway['writeSeries']>) => Promise<SeriesWritten>

/** Stands in for the engine where it may not be asked: nothing is refused. */
const takeAll: Offer = async () => ({ accepted: 0, rejected: 0, errors: [] })
const OUTCOMES = [() => true, () => false] as const

/** The same point written again is the same point, so that a batch that is put through twice is there once. */
class SeriesDelivery implements Sink {
  readonly #context: SinkContext<SeriesSinkConfig>
  readonly #offer: Offer
  readonly #points: string

  constructor(context: SinkContext<SeriesSinkConfig>, offer: Offer) {
    this.#context = context
    this.#offer = offer
    this.#points = tableName(context.schema, `${context.nodeId}:points`)
  }

  write(flow: Flow): Promise<Wrote> {
    const type = typeIn(flow.columns, this.#context.config.value)
    const areNumbers = NUMBERS.test(type)
    const sql = `SELECT ${this.#listOf(flow).join(', ')} FROM (${flow.sql})`
    const points = { sql, fit: fits(type), got: GOT, areNumbers }
    return this.#withPoints(points, async (taken) => {
      const rejected = await this.#put(points, taken)
      return { taken, written: taken - rejected.length, rejected }
    })
  }

  /** Values as JSON, in which each stays what it is: the first of a tag decides its type, and that is the first that came. */
  writeMixed(flows: readonly Flow[]): Promise<Wrote> {
    const { value, quality } = this.#context.config
    const selects = flows.map((flow, i) => {
      const replaced = ['to_json(value) AS value', ...(quality === undefined ? [] : ['to_json(quality) AS quality'])]
      const own = `SELECT ${[...this.#listOf(flow), ROW].join(', ')} FROM (${flow.numbered})`
      const fit = fits(typeIn(flow.columns, value))
      return `SELECT * REPLACE (${replaced.join(', ')}), ${fit} AS fit, ${GOT} AS got, ${i} AS flow FROM (${own})`
    })
    const sql = `SELECT * FROM (${selects.join(' UNION ALL ')}) ORDER BY ${ROW}`
    const points = { sql, fit: 'fit', got: 'got', areNumbers: false }
    return this.#withPoints(points, async (taken) => {
      const rejected = await this.#located(await this.#put(points, taken))
      return { taken, written: taken - rejected.length, rejected }
    })
  }

  async #withPoints(points: Points, work: (taken: number) => Promise<Wrote>): Promise<Wrote> {
    const { database } = this.#context
    try {
      return await work(await runCounted(database, `CREATE OR REPLACE TABLE ${this.#points} AS ${points.sql}`))
    } finally {
      await database.run(`DROP TABLE IF EXISTS ${this.#points}`)
    }
  }

  /** Sends the points in their order; answers which were refused, by their places. */
  async #put(points: Points, taken: number): Promise<SinkRejected[]> {
    const { isPlain, unfit, lineBytes } = await this.#look(points)
    const rejected = unfit === 0 ? [] : await this.#unfit(points)
    const rows = PIECE_ROWS.find((rows) => rows * lineBytes <= PIECE_BYTES) ?? 2048
    let sent: Promise<readonly SinkRejected[]> = Promise.resolve([])
    for (let from = 0; from < taken; from += rows) {
      // The next piece is made while the server takes the last one.
      const piece = await this.#piece(from, rows, isPlain, points.fit)
      rejected.push(...(await sent))
      sent = this.#send(piece)
      sent.catch(() => {}) // it is heard of at the next turn
    }
    rejected.push(...(await sent))
    return rejected
  }

  /** Which flows they are of. */
  async #located(rejected: readonly SinkRejected[]): Promise<SinkRejected[]> {
    if (rejected.length === 0) return []
    const places = rejected.map(({ place }) => place).join(', ')
    const reader = await this.#context.database.runAndReadAll(
      `SELECT rowid, flow, ${ROW} FROM ${this.#points} WHERE rowid IN (SELECT unnest([${places}]::BIGINT[]))`
    )
    const found = new Map(reader.getRows().map(([place, flow, row]) => [Number(place), [Number(flow), Number(row)]]))
    return rejected.map(({ place, ...letter }) => {
      const [flow, row] = found.get(place as number) as [number, number]
      return { ...letter, flow, row }
    })
  }

  async close(): Promise<void> {}

  /** What a point is made of; `ns` is NULL where the time can't be read. */
  #listOf({ columns }: Flow): string[] {
    const { time, tag, value, quality } = this.#context.config
    const constant = constantIn(tag)
    const name = constant === undefined ? asText(sqlName(tag)) : sqlText(constant)
    const ns = timeOf(time, columns)
    const list = [
      `${name} AS tag`,
      `${ns} AS ns`,
      `${sqlName(value)} AS value`,
      `CASE WHEN ${ns} IS NULL THEN ${sqlName(time)}::VARCHAR END AS time`
    ]
    if (quality !== undefined) list.push(`${sqlName(quality)} AS quality`)
    return list
  }

  /** All that has to be known of the points before they are sent, in one statement: of a small batch it is most of the work. */
  async #look({ fit, areNumbers }: Points): Promise<Look> {
    const valueBytes = areNumbers ? '0' : 'sum(strlen(value::VARCHAR))'
    const row = await firstRow(
      this.#context.database,
      `SELECT coalesce(bool_and(plain), true) AS plain, sum(unfit)::DOUBLE AS unfit, (sum(bytes) / sum(rows))::DOUBLE AS bytes
       FROM (SELECT coalesce(regexp_full_match(tag, ${PLAIN_NAME}), false) AS plain, count(*) FILTER (NOT ${fit}) AS unfit,
         count(*) AS rows, coalesce(strlen(tag), 0) * count(*) + coalesce(${valueBytes}, 0) AS bytes
         FROM ${this.#points} GROUP BY tag)`
    )
    return {
      isPlain: areNumbers && this.#context.config.quality === undefined && row?.plain === true,
      unfit: Number(row?.unfit ?? 0),
      lineBytes: Number(row?.bytes ?? 0) + LINE_BYTES
    }
  }

  /** Records that can't be points, which are not sent: without a time that can be read, or without a value. */
  async #unfit({ fit, got: value }: Points): Promise<SinkRejected[]> {
    const { database, config } = this.#context
    const reader = await database.runAndReadAll(
      `SELECT rowid, ns IS NULL, time, ${value} FROM ${this.#points} WHERE NOT ${fit} ORDER BY rowid`
    )
    return (reader.getRows() as [bigint, boolean, string | null, string | null][]).map(
      ([rowid, isTimeless, time, text]) => {
        const place = Number(rowid)
        const [name, what, got] = isTimeless ? [config.time, 'time', time] : [config.value, 'value', text]
        if (got === null) return { place, code: `no_${what}`, reason: `${name}: there is no ${what}`, record: '' }
        const expected = !isTimeless ? 'a finite number' : isFar(got) ? NEAR_TIME : 'a time'
        return { place, code: WRONG_TYPE, reason: wrongType(name, expected, JSON.stringify(got)), record: '' }
      }
    )
  }

  async #piece(from: number, rows: number, isPlain: boolean, fit: string): Promise<Piece> {
    const where = `rowid >= ${from} AND rowid < ${from + rows} AND ${fit}`
    const line = isPlain ? PLAIN_LINE : this.#jsonLine
    return { where, format: isPlain ? 'line' : 'ndjson', bytes: await this.#text(line, where) }
  }

  async #text(line: string, where: string, order = ''): Promise<Uint8Array> {
    const reader = await this.#context.database.runAndReadAll(
      `SELECT encode(string_agg(${line}, chr(10)${order})) FROM ${this.#points} WHERE ${where}`
    )
    const text = reader.value(0, 0) as { bytes: Uint8Array } | null
    // A copy, because the memory is DuckDB's, and is not to be given away.
    return Uint8Array.from(text?.bytes ?? [])
  }

  get #jsonLine(): string {
    return jsonLine(this.#context.config.quality !== undefined)
  }

  /** Sends a piece; answers the records of which it was refused. */
  async #send(piece: Piece): Promise<SinkRejected[]> {
    if (piece.bytes.length === 0) return []
    const { config } = this.#context
    const { rejected } = await this.#offer(config.source, piece.format, piece.bytes)
    if (rejected === 0) return []
    // Once more in the order of the records, to know which they were: the same point written again is the same point.
    const bytes = await this.#text(this.#jsonLine, piece.where, ' ORDER BY rowid')
    const { errors } = await this.#offer(config.source, 'ndjson', bytes)
    const reader = await this.#context.database.runAndReadAll(
      `SELECT rowid FROM ${this.#points} WHERE ${piece.where} ORDER BY rowid`
    )
    const places = reader.getRows().map(([rowid]) => Number(rowid))
    return errors.map(({ line, code, message }) => {
      return { place: places[line - 1] as number, code, reason: message, record: '' }
    })
  }
}

/** What points are made of, and SQL of the table that holds them. */
interface Points {
  readonly sql: string
  /** Whether one can be a point at all. */
  readonly fit: string
  /** The text of its value. */
  readonly got: string
  readonly areNumbers: boolean
}

interface Look {
  /** Whether all are numbers under names that need no escapes, as nearly all are: line protocol is read much faster. */
  readonly isPlain: boolean
  /** How many can't be points. */
  readonly unfit: number
  /** Bytes of a line, on average. */
  readonly lineBytes: number
}

interface Piece {
  readonly where: string
  readonly format: 'line' | 'ndjson'
  readonly bytes: Uint8Array
}

/** The name in quotes, in which a quote stands twice. */
const constantIn = (tag: string) => CONSTANT.exec(tag)?.[1]?.replaceAll("''", "'")

const NUMBERS = /^(?:DOUBLE|FLOAT|U?(?:TINY|SMALL|BIG)?INT(?:EGER)?|BOOLEAN|DECIMAL.*)$/
/** Names that need no escapes, and that the engine takes for what they are. */
const PLAIN_NAME = "'[A-Za-z0-9_:/-]+'"
/** SQL of whether a record can be a point at all. */
const fits = (type: string): string =>
  `(ns IS NOT NULL AND value IS NOT NULL${type === 'DOUBLE' || type === 'FLOAT' ? ' AND isfinite(value)' : ''})`
const GOT = 'value::VARCHAR'
const PLAIN_LINE = "concat(tag, ' value=', value, ' ', ns)"

const jsonLine = (hasQuality: boolean): string =>
  [
    `'{"tag":' || coalesce(to_json(tag), 'null')`,
    `',"time":' || ns::VARCHAR`,
    `',"value":' || coalesce(to_json(value), 'null')`,
    ...(hasQuality ? [`',"quality":' || coalesce(to_json(quality), '"good"')`] : []),
    `'}'`
  ].join(' || ')

function typeIn(columns: Flow['columns'], name: string): string {
  return columns.find((column) => column.name.toLowerCase() === name.toLowerCase())?.type ?? ''
}

/** Whole nanoseconds in 64 bits do not count farther; `epoch_ns` fails at such times, and with it all records of a batch. */
const [FIRST, LAST] = ['1677-09-22', '2262-04-11']
const NEAR_TIME = `a time from ${FIRST} to ${LAST}`

/** Whether a text begins with a year that is too far from now, rather than that it is no time. */
function isFar(text: string): boolean {
  const year = Number(/^(\d{4,6})-/.exec(text)?.[1] ?? FIRST.slice(0, 4))
  return year < Number(FIRST.slice(0, 4)) || year >= Number(LAST.slice(0, 4)) || text.endsWith('(BC)')
}

/** As whole nanoseconds; NULL where it is none. */
function timeOf(time: string, columns: Flow['columns']): string {
  const type = typeIn(columns, time)
  const name = sqlName(time)
  if (type === 'TIMESTAMP_NS') return `CASE WHEN isfinite(${name}) THEN epoch_ns(${name}) END`
  const known = type.startsWith('TIMESTAMP') ? type : type === 'DATE' ? 'TIMESTAMP' : 'TIMESTAMPTZ'
  const cast = known === type ? name : `TRY_CAST(${name} AS ${known})`
  return `CASE WHEN ${cast} BETWEEN '${FIRST}'::${known} AND '${LAST}'::${known} THEN epoch_ns(${cast}) END`
}
