import { LOOKS, type Look } from '../profile/looks.ts'
import type { ColumnProfile } from '../profile/schema.ts'
import { BINS, MAX_CHARS, MAX_SQUARABLE, QUANTILES } from '../profile/statement.ts'

/** A column as the naive computation sees it. Times are milliseconds since 1970. */
export type NaiveColumn = { readonly name: string; readonly type: string } & (
  | { readonly kind: 'number' | 'time'; readonly values: readonly (number | null)[] }
  | { readonly kind: 'text'; readonly values: readonly (string | null)[]; readonly lookOf: (text: string) => Look }
  | { readonly kind: 'boolean'; readonly values: readonly (boolean | null)[] }
)

/** Everything that a profile says, one value after the other, as one would do it with a pencil. */
export function profileNaively(column: NaiveColumn): ColumnProfile {
  const { name, type, values } = column
  const there = values.filter((value) => value !== null)
  const counts = countsOf(there.map((value) => knownAs(column, value)))
  const isFloat = type === 'DOUBLE' || type === 'FLOAT'
  return {
    name,
    type,
    masked: false,
    problem: null,
    count: there.length,
    nulls: values.length - there.length,
    nan: isFloat ? there.filter(Number.isNaN).length : null,
    infinite:
      isFloat || column.kind === 'time' ? there.filter((value) => Math.abs(Number(value)) === Infinity).length : null,
    distinct: { count: counts.length, exact: true },
    ...numbersOf(column),
    ...textsOf(column),
    top: counts.slice(0, 20).map(({ value, count }) => ({ value: cut(value), count })),
    drawn: { values: there.length, exact: true, error: 0 }
  }
}

type Value = string | number | boolean

const knownAs = ({ kind, type }: NaiveColumn, value: Value): Value => {
  if (kind === 'time') return timeShown(Number(value), type)
  if (kind === 'number') return Number.isFinite(value) ? Number(value) + 0 : String(value)
  return value
}

const timeShown = (ms: number, type: string): string => {
  if (!Number.isFinite(ms)) return ms > 0 ? 'infinity' : '-infinity'
  return type === 'DATE' ? new Date(ms).toISOString().slice(0, 10) : new Date(ms).toISOString()
}

const cut = (value: Value): Value => {
  const chars = [...String(value)]
  return chars.length <= MAX_CHARS ? value : `${chars.slice(0, MAX_CHARS).join('')}…`
}

function formOf(text: string): string {
  const chars = [...text]
  const form = chars
    .slice(0, 40)
    .map((char) =>
      /[0-9]/.test(char) ? '9' : /[A-Z]/.test(char) ? 'A' : /[!-~ ]/.test(char) && !/[a-z]/.test(char) ? char : 'a'
    )
  return form.join('') + (chars.length > 40 ? '…' : '')
}

/** Values with how often they occur, the most frequent first, and among these by their bytes. */
function countsOf(values: readonly Value[]): { value: Value; count: number }[] {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || byBytes(String(a.value), String(b.value)))
}

const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

type Numbers = Pick<ColumnProfile, 'min' | 'max' | 'mean' | 'stddev' | 'quantiles' | 'histogram'>

function numbersOf(column: NaiveColumn): Numbers {
  const none: Numbers = { min: null, max: null, mean: null, stddev: null, quantiles: [], histogram: [] }
  const { kind, type } = column
  const there = column.values.filter((value) => value !== null)
  if (kind === 'text') {
    const sorted = there.map(String).sort(byBytes)
    const ends = [sorted[0], sorted.at(-1)].map((text) =>
      text === undefined ? null : [...text].slice(0, MAX_CHARS).join('')
    )
    return { ...none, min: ends[0] as string, max: ends[1] as string }
  }
  if (kind === 'boolean')
    return there.length === 0 ? none : { ...none, min: !there.includes(false), max: there.includes(true) }
  // Times are computed with in microseconds.
  const unit = kind === 'time' ? 1000 : 1
  const sorted = there
    .map((value) => Number(value) * unit + 0)
    .filter(Number.isFinite)
    .sort((a, b) => a - b)
  const [lo, hi] = [sorted[0], sorted.at(-1)]
  if (lo === undefined || hi === undefined) return none
  const shown = (number: number) => (kind === 'time' ? roundTime(number, type) : number)
  const mean = sorted.reduce((sum, number) => sum + number / sorted.length, 0)
  const variance = sorted.reduce((sum, number) => sum + (number - mean) ** 2 / (sorted.length - 1), 0)
  const isSquarable = Math.max(-lo, hi) < MAX_SQUARABLE
  return {
    min: shown(lo),
    max: shown(hi),
    mean: isSquarable ? shown(mean) : null,
    stddev: isSquarable && sorted.length > 1 ? Math.sqrt(variance) / (kind === 'time' ? 1e6 : 1) : null,
    quantiles: QUANTILES.map((quantile) => {
      const rank = Math.max(1, sorted.length - Math.floor((sorted.length * (100 - Math.round(quantile * 100))) / 100))
      return { quantile, value: shown(sorted[rank - 1] as number) }
    }),
    histogram: histogramOf(sorted, lo, hi, shown)
  }
}

/** A time between two others, to the millisecond; a date has no time of the day unless it lies between two. */
function roundTime(micros: number, type: string): string {
  const ms = Math.round(micros / 1000)
  return timeShown(ms, type === 'DATE' && ms % 86_400_000 !== 0 ? 'TIMESTAMP' : type)
}

function histogramOf(sorted: readonly number[], lo: number, hi: number, shown: (number: number) => string | number) {
  if (lo === hi) return [{ from: shown(lo), to: shown(hi), count: sorted.length }]
  const edge = (at: number) => (at === BINS ? hi : lo * (1 - at / BINS) + hi * (at / BINS))
  const binOf = (number: number) => {
    const part = (number / 2 - lo / 2) / (hi / 2 - lo / 2)
    return Number.isFinite(part) ? Math.min(Math.floor(part * BINS), BINS - 1) : 0
  }
  return Array.from({ length: BINS }, (_, at) => ({
    from: shown(edge(at)),
    to: shown(edge(at + 1)),
    count: sorted.filter((number) => binOf(number) === at).length
  }))
}

function textsOf(column: NaiveColumn): Pick<ColumnProfile, 'lengths' | 'patterns' | 'looksLike'> {
  if (column.kind !== 'text') return { lengths: null, patterns: [], looksLike: null }
  const texts = column.values.filter((text) => text !== null)
  const lengths = texts.map((text) => [...text].length)
  const looks = texts.map(column.lookOf)
  const forms = countsOf(texts.map(formOf)).slice(0, 10)
  return {
    lengths:
      texts.length === 0
        ? null
        : {
            min: Math.min(...lengths),
            max: Math.max(...lengths),
            mean: lengths.reduce((sum, length) => sum + length, 0) / lengths.length
          },
    patterns: forms.map(({ value, count }) => ({ pattern: String(value), count })),
    looksLike: Object.fromEntries(
      LOOKS.map((look) => [look, looks.filter((one) => one === look).length])
    ) as ColumnProfile['looksLike']
  }
}
