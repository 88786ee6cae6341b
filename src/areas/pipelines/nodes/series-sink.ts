import { sqlName, sqlText } from '../../../data/relation.ts'
import { Type } from '../../../http/type.ts'
import { ColumnName, Config, type ConfigOf } from './config-parts.ts'
import { NodeFault } from './context.ts'
import { sinkType } from './node-type.ts'
import type { Sink, SinkContext, Wrote } from './sink.ts'
import type { Flow } from './steps.ts'

const SeriesSinkConfig = Config({
  source: Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of a catalog source' }),
  time: ColumnName('The column with the time of the point'),
  tag: ColumnName('The column with the name of the tag, or a name in single quotes for all points'),
  value: ColumnName('The column with the value'),
  quality: Type.Optional(ColumnName('A column that is `good`, `uncertain` or `bad`'))
})
type SeriesSinkConfig = ConfigOf<typeof SeriesSinkConfig>

const CONSTANT = /^'(.*)'$/s
/** Points in one write. */
const MAX_POINTS = 100_000

export const seriesSink = sinkType<SeriesSinkConfig>({
  type: 'series',
  about: 'Writes each record as a point of a catalog source.',
  config: SeriesSinkConfig,
  delivery: 'exactly-once',
  columns: ({ time, tag, value, quality }) =>
    [time, tag, value, quality ?? ''].filter((name) => name !== '' && !CONSTANT.test(name)),
  references: ({ source }) => [`series://${source}`],
  open: async (context) => new SeriesSink(context)
})

/** The same point written again is the same point, so that a batch that is put through twice is there once. */
class SeriesSink implements Sink {
  readonly #context: SinkContext<SeriesSinkConfig>

  constructor(context: SinkContext<SeriesSinkConfig>) {
    this.#context = context
  }

  async write(flow: Flow): Promise<Wrote> {
    const plain = plainLineOf(this.#context.config, flow)
    const taken = plain === undefined ? undefined : await this.#send(flow, 'line', plain)
    const json = { line: jsonOf(this.#context.config, flow), fits: 'true' }
    return this.#wrote(taken ?? ((await this.#send(flow, 'ndjson', json)) as number))
  }

  #wrote(taken: number): Wrote {
    return { taken, written: taken, rejected: [] }
  }

  /** Answers how many points there were; undefined where they do not all fit this format. */
  async #send(flow: Flow, format: 'line' | 'ndjson', { line, fits }: LineForm): Promise<number | undefined> {
    const { config, database, gateway } = this.#context
    const points = `SELECT ${line} AS line, ${fits} AS fits${isSmall(flow) ? '' : PART} FROM (${flow.sql})`
    const reader = await database.runAndReadAll(
      `SELECT encode(string_agg(line, chr(10))), count(*), coalesce(bool_and(fits), true) FROM (${points})${isSmall(flow) ? '' : ' GROUP BY part'}`
    )
    const parts = reader.getRows() as [{ bytes: Uint8Array }, bigint, boolean][]
    if (!parts.every(([, , doFit]) => doFit)) return undefined
    let taken = 0
    for (const [lines, count] of parts) {
      if (count === 0n) continue
      // A copy, because the memory is DuckDB's, and is not to be given away.
      const { rejected, errors } = await gateway.writeSeries(config.source, format, Uint8Array.from(lines.bytes))
      // What was good is written, and is harmless when it is written again.
      if (rejected > 0 && format === 'line') return undefined
      if (rejected > 0) {
        const [first] = errors
        throw new NodeFault('records', first?.code ?? 'invalid_point', first?.message ?? 'The point was refused')
      }
      taken += Number(count)
    }
    return taken
  }

  async close(): Promise<void> {}
}

const isSmall = ({ maxRows }: Flow) => maxRows !== undefined && maxRows <= MAX_POINTS
const PART = `, row_number() OVER () // ${MAX_POINTS} AS part`

/** The name in quotes, in which a quote stands twice. */
const constantIn = (tag: string) => CONSTANT.exec(tag)?.[1]?.replaceAll("''", "'")

interface LineForm {
  /** SQL for the text of a point. */
  readonly line: string
  /** SQL for whether a point can be written so. */
  readonly fits: string
}

const NUMBERS = /^(?:DOUBLE|FLOAT|U?(?:TINY|SMALL|BIG)?INT(?:EGER)?|BOOLEAN|DECIMAL.*)$/
/** Names that need no escapes, and that the engine takes for what they are. */
const PLAIN_NAME = "'[A-Za-z0-9_:/-]+'"

/** Line protocol, which is read much faster, where names and values are as plain as nearly all are. */
function plainLineOf({ time, tag, value, quality }: SeriesSinkConfig, { columns }: Flow): LineForm | undefined {
  const type = columns.find(({ name }) => name.toLowerCase() === value.toLowerCase())?.type ?? ''
  if (quality !== undefined || !NUMBERS.test(type)) return undefined
  const constant = constantIn(tag)
  const name = constant === undefined ? `${sqlName(tag)}::VARCHAR` : sqlText(constant)
  const isNumber =
    type === 'DOUBLE' || type === 'FLOAT' ? `isfinite(${sqlName(value)})` : `${sqlName(value)} IS NOT NULL`
  return {
    line: `${name} || ' value=' || ${sqlName(value)}::VARCHAR || ' ' || ${timeOf(time, columns)}`,
    fits: `coalesce(regexp_full_match(${name}, ${PLAIN_NAME}) AND ${isNumber} AND ${sqlName(time)} IS NOT NULL, false)`
  }
}

function jsonOf({ time, tag, value, quality }: SeriesSinkConfig, { columns }: Flow): string {
  const constant = constantIn(tag)
  const name = `to_json(${constant === undefined ? `${sqlName(tag)}::VARCHAR` : sqlText(constant)})`
  const parts = [
    `'{"tag":'`,
    `coalesce(${name}, 'null')`,
    `',"time":'`,
    timeOf(time, columns),
    `',"value":'`,
    `coalesce(to_json(${sqlName(value)}), 'null')`
  ]
  if (quality !== undefined) parts.push(`',"quality":'`, `coalesce(to_json(${sqlName(quality)}), '"good"')`)
  return [...parts, `'}'`].join(' || ')
}

/** As whole nanoseconds, or as the text it is. */
function timeOf(time: string, columns: Flow['columns']): string {
  const column = columns.find(({ name }) => name.toLowerCase() === time.toLowerCase())
  const name = sqlName(time)
  if (column?.type.startsWith('TIMESTAMP')) return `coalesce(epoch_ns(${name})::VARCHAR, 'null')`
  if (column?.type === 'DATE') return `coalesce(epoch_ns(${name}::TIMESTAMP)::VARCHAR, 'null')`
  return `coalesce(epoch_ns(${name}::TIMESTAMPTZ)::VARCHAR, 'null')`
}
