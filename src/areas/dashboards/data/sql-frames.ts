import type { DataColumn, DataRow, DataValue } from '../../../data/sql-process/messages.ts'
import type { COLUMN_TYPES, Frame } from './schema.ts'

/** Series that a panel can show. */
export const MAX_FRAMES = 200

const TYPES: readonly (readonly [RegExp, (typeof COLUMN_TYPES)[number]])[] = [
  [/^(?:TIMESTAMP.*|DATE)$/, 'time'],
  [/^(?:U?(?:TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|DECIMAL.*)$/, 'number'],
  [/^BOOLEAN$/, 'boolean'],
  [/^(?:VARCHAR|ENUM.*|UUID|TIME.*|INTERVAL|BLOB|BIT)$/, 'text']
]

type Column = Frame['columns'][number]

interface Table {
  readonly columns: readonly DataColumn[]
  readonly rows: readonly DataRow[]
}

/** Rows as one table. */
export function tableOf({ columns, rows }: Table, timeZone: string): Frame {
  return frameOf('', {}, columns.map(columnOf), places(columns), rows, timeZone)
}

/**
 * Rows over time as one table for each combination of their texts, each in the order of the first time; as one table where no
 * column is a time. `isCut`: there are more combinations than a panel can show.
 */
export function seriesOf({ columns, rows }: Table, timeZone: string): { frames: Frame[]; isCut: boolean } {
  const shown = columns.map(columnOf)
  const time = shown.findIndex(({ type }) => type === 'time')
  if (time < 0) return { frames: [tableOf({ columns, rows }, timeZone)], isCut: false }
  const texts = places(columns).filter((place) => shown[place]?.type === 'text')
  const others = places(columns).filter((place) => place !== time && !texts.includes(place))
  const series = new Map<string, DataRow[]>()
  let isCut = false
  for (const row of rows) {
    const key = JSON.stringify(texts.map((place) => row[place]))
    const known = series.get(key)
    if (known !== undefined) known.push(row)
    else if (series.size < MAX_FRAMES) series.set(key, [row])
    else isCut = true
  }
  const frames = [...series].map(([key, ofOne]) => {
    const values = JSON.parse(key) as (string | null)[]
    const labels = Object.fromEntries(
      texts.flatMap((place, at) => (values[at] == null ? [] : [[columns[place]?.name ?? '', String(values[at])]]))
    )
    return frameOf(Object.values(labels).join(', '), labels, shown, [time, ...others], inOrder(ofOne, time), timeZone)
  })
  return { frames, isCut }
}

function frameOf(
  name: string,
  labels: Frame['labels'],
  columns: readonly Column[],
  places: readonly number[],
  rows: readonly DataRow[],
  timeZone: string
): Frame {
  return {
    name,
    labels,
    columns: places.map((place) => columns[place] as Column),
    values: places.map((place) => {
      const isTime = columns[place]?.type === 'time'
      return rows.map((row) => (isTime ? timeOf(row[place], timeZone) : row[place]))
    })
  }
}

const places = (columns: readonly DataColumn[]): number[] => columns.map((_, place) => place)

const columnOf = ({ name, type }: DataColumn): Column => ({
  name,
  type: TYPES.find(([form]) => form.test(type))?.[1] ?? 'json',
  unit: null
})

const DATE = /^(\d{4,6})-(\d\d-\d\d)( \(BC\))?$/
/** The years that times can be written of. */
const [FIRST_YEAR, LAST_YEAR] = [-271_820, 275_759]

/** A date is the time at which it begins, in the zone of the dashboard: else it would be another day there. */
function timeOf(value: DataValue | undefined, timeZone: string): DataValue {
  const [, year, day, isBefore] = (typeof value === 'string' && DATE.exec(value)) || []
  if (year === undefined) return value ?? null
  const number = isBefore === undefined ? Number(year) : 1 - Number(year)
  const digits = String(Math.abs(number))
  if (number < FIRST_YEAR || number > LAST_YEAR) return value as string
  const isPlain = number >= 0 && number <= 9999
  const written = isPlain ? digits.padStart(4, '0') : `${number < 0 ? '-' : '+'}${digits.padStart(6, '0')}`
  if (timeZone === 'UTC') return `${written}-${day}T00:00:00.000Z`
  const start = Temporal.PlainDate.from(`${written}-${day}`).toZonedDateTime(timeZone)
  return start.toInstant().toString({ fractionalSecondDigits: 3 })
}

/** In the order of their times; what is no time of the calendar comes last. */
function inOrder(rows: readonly DataRow[], time: number): DataRow[] {
  const timed = rows.map((row) => {
    const text = String(timeOf(row[time], 'UTC'))
    const ms = Date.parse(text)
    return { row, text, ms: Number.isNaN(ms) ? Number.POSITIVE_INFINITY : ms }
  })
  timed.sort((a, b) => (a.ms === b.ms ? compare(a.text, b.text) : a.ms - b.ms))
  return timed.map(({ row }) => row)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
