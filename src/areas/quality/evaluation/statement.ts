import type { DataRow, DataValue } from '../../../data/sql-process/messages.ts'
import { type Compiled, DATASET } from './compile.ts'
import { type KeySpan, keySpanOf } from './key-span.ts'
import type { KeySpans } from './known-columns.ts'
import { Ladders } from './ladder.ts'
import { menusOf } from './menu.ts'
import { isColumnar, type OwnScan } from './own-scan.ts'
import { timeLimitsOf } from './time-limits.ts'
import { type Asks, numberIn, sumOf, type Told } from './told.ts'
import { both } from './unaskable.ts'
import { wholeLimitsOf } from './whole-limits.ts'

/** What the rows of a dataset come to for one rule. */
export interface Counted {
  readonly checked: number
  readonly failed: number
  /** What the aggregate of the rule came to; null where there is none. */
  readonly value: number | null
  /** How the values of a column are distributed, for rules that ask. */
  readonly shape?: DataValue
}

/** One statement for many rules. */
export interface Statement {
  readonly sql: string
  readonly relations: Readonly<Record<string, string>>
  /** What the only row of its answer says of each rule, in their order; undefined where it does not say it of all of them. */
  read(row: DataRow): Counted[] | undefined
  /** What it says of keys in which no value comes twice. */
  spans(row: DataRow): KeySpans
}

type Place = { -readonly [M in keyof Required<Counted> | 'least' | 'most']?: Told }

/**
 * Asks all of it in one statement: what can be told row by row in one scan, each other question in a scan of its own.
 * DuckDB reads only the columns that are asked about. `more` is one more value, which comes last.
 */
export function statementOf(dataset: string, asked: readonly Compiled[], more?: string): Statement {
  const items = new Numbered()
  const asks: Asks = (sql) => {
    const place = items.add(sql)
    return (row) => row[place] ?? null
  }
  const sources: string[] = []
  const places: Place[] = asked.map(() => ({}))
  const isByColumn = isColumnar(dataset)
  const ownScans: ReadonlyMap<Compiled, OwnScan> = isByColumn
    ? new Map([...menusOf(asked), ...timeLimitsOf(asked), ...wholeLimitsOf(asked)])
    : new Map()
  const samples = Map.groupBy(asked.keys(), (at) => (asked[at] as Compiled).sample)
  for (const [sample, members] of samples) {
    const scan = new Scan(`scan${sources.length}`, sample)
    // Histograms make DuckDB compute all that is in the same scan by way of groups, which takes three times as long for a count.
    const steps = isByColumn && sample === undefined ? new Scan(`steps${sources.length}`, sample) : scan
    const add: Asks = (sql) => asks(scan.named(sql))
    const addSteps: Asks = (sql) => asks(steps.named(sql))
    const ladders = new Ladders(members.map((at) => asked[at] as Compiled))
    for (const at of members) {
      const compiled = asked[at] as Compiled
      const { failed, value, shape, counts } = compiled
      const place = places[at] as Place
      const own = ownScans.get(compiled)
      if (own !== undefined) {
        place.checked = own.present(asks)
        place.failed = own.wrong(compiled, asks)
        continue
      }
      if (counts?.tellsChecked !== true) place.checked = checkedIn(compiled, ladders, add, addSteps)
      if (failed !== undefined) place.failed = failedIn(compiled, failed, ladders, add, addSteps)
      if (value !== undefined) place.value = add(value)
      if (shape !== undefined) place.shape = add(shape)
    }
    for (const { isEmpty, source } of new Set([scan, steps])) if (!isEmpty) sources.push(source)
  }
  for (const { source } of new Set(ownScans.values())) sources.push(source)
  for (const [at, { counts }] of asked.entries()) {
    if (counts === undefined) continue
    const place = places[at] as Place
    if (counts.tellsChecked) place.checked = asks(`own${at}.checked`)
    place.failed = asks(`own${at}.failed`)
    if (counts.key !== undefined) {
      place.least = asks(`own${at}.least`)
      place.most = asks(`own${at}.most`)
    }
    sources.push(`(${counts.sql}) AS own${at}`)
  }
  return {
    sql: `SELECT ${[...items.all, ...(more === undefined ? [] : [more])].join(', ')} FROM ${sources.join(', ')}`,
    relations: Object.assign({ [DATASET]: dataset }, ...asked.map(({ others }) => others)),
    read: (row) => (isKnown(row, asked, places) ? places.map((place) => countedIn(row, place)) : undefined),
    spans: (row) => spansIn(row, asked, places)
  }
}

const isKnown = (row: DataRow, asked: readonly Compiled[], places: readonly Place[]): boolean =>
  asked.every(({ counts }, at) => counts?.mayFail !== true || valueAt(row, places[at]?.failed) !== null)

function spansIn(row: DataRow, asked: readonly Compiled[], places: readonly Place[]): KeySpans {
  const spans = new Map<string, KeySpan>()
  for (const [at, { counts }] of asked.entries()) {
    const { failed, checked, least, most } = places[at] as Place
    if (counts?.key === undefined || Number(valueAt(row, failed)) > 0) continue
    const span = keySpanOf(Number(valueAt(row, checked)), valueAt(row, least), valueAt(row, most))
    if (span !== undefined) spans.set(counts.key, span)
  }
  return spans
}

const valueAt = (row: DataRow, told: Told | undefined): DataValue => told?.(row) ?? null

/** Texts, each once, by their places. */
class Numbered {
  readonly all: string[] = []
  readonly #places = new Map<string, number>()

  add(text: string): number {
    return this.#places.getOrInsertComputed(text, () => this.all.push(text) - 1)
  }
}

/** Aggregates over the rows, or over some of them that are chosen at random. */
class Scan {
  readonly #name: string
  readonly #sample: number | undefined
  readonly #aggregates = new Numbered()

  constructor(name: string, sample: number | undefined) {
    this.#name = name
    this.#sample = sample
  }

  get isEmpty(): boolean {
    return this.#aggregates.all.length === 0
  }

  get source(): string {
    const list = this.#aggregates.all.map((sql, at) => `${sql} AS a${at}`).join(', ')
    return `(SELECT ${list} FROM ${sampled(this.#sample)}) AS ${this.#name}`
  }

  /** Gives an aggregate a name. */
  readonly named = (aggregate: string): string => `${this.#name}.a${this.#aggregates.add(aggregate)}`
}

function checkedIn(compiled: Compiled, ladders: Ladders, add: Asks, addSteps: Asks): Told {
  const { checked, bounds, compared, failed } = compiled
  const ladder = bounds && ladders.find(checked, bounds.value)
  if (ladder !== undefined) return ladder.all(addSteps)
  const other = compared && failed !== undefined ? ladders.find(compared.rest, compared.by.value) : undefined
  return other && compared ? other.holding(compared.by, addSteps) : add(checkedSql(compiled))
}

function failedIn(compiled: Compiled, failed: string, ladders: Ladders, add: Asks, addSteps: Asks): Told {
  const { checked, bounds, compared } = compiled
  const ladder = bounds && ladders.find(checked, bounds.value)
  if (ladder && bounds) return ladder.outside(bounds, addSteps)
  const other = compared && ladders.find(both(compared.rest, failed), compared.by.value)
  if (other && compared) return other.holding(compared.by, addSteps)
  const parts = failedSqls(compiled, failed).map(add)
  return (row) => sumOf(parts.map((told) => numberIn(told(row))))
}

/** DuckDB counts rows that have a value without looking at them. */
const checkedSql = ({ checked, having }: Compiled): string =>
  having === undefined ? counting(checked) : `count(${having})`

/**
 * Aggregates that come to the rows that are wrong together. What is asked of a value is null where there is none, so that
 * these rows need not be left out; and what is asked of all rows is better asked after what few rows are.
 */
function failedSqls({ checked, having, missing, either }: Compiled, failed: string): string[] {
  if (missing !== undefined) return [`count(*) - count(${missing})`]
  if (having !== undefined) return (either ?? [failed]).map(counting)
  return [counting(checked === 'TRUE' ? failed : `${failed} AND ${checked}`)]
}

/** Many counts with FILTER take more than twice as long: see `bench/README.md`. */
const counting = (condition: string): string => (condition === 'TRUE' ? 'count(*)' : `count_if(${condition})`)

/** The rows, or some of them that are chosen at random. */
export const sampled = (percent: number | undefined): string =>
  percent === undefined
    ? DATASET
    : `(SELECT * FROM ${DATASET} USING SAMPLE ${percent} PERCENT (bernoulli)) AS ${DATASET}`

function countedIn(row: DataRow, { checked, failed, value, shape }: Place): Counted {
  const latest = valueAt(row, value)
  return {
    checked: numberIn(valueAt(row, checked)),
    failed: numberIn(valueAt(row, failed)),
    value: latest === null ? null : Number(latest),
    ...(shape !== undefined && { shape: valueAt(row, shape) })
  }
}
