import { sqlName } from '../../../data/relation.ts'
import type { DataColumn } from '../../../data/sql-process/messages.ts'
import { kindOf } from '../evaluation/columns.ts'
import { DATASET } from '../evaluation/compile.ts'
import { formSql } from './forms.ts'
import { lookSql } from './looks.ts'

export interface AskedColumn extends DataColumn {
  /** Whether its values may not be shown: then they do not leave the process that reads the data. */
  readonly isSecret: boolean
}

export interface Looked {
  /** A condition that is whole by itself. */
  readonly where?: string | undefined
  /** Percent of the rows. */
  readonly sample?: number | undefined
  /** Rows that are drawn at most. */
  readonly drawnRows: number
}

export const QUANTILES = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99] as const
export const BINS = 20
const TOP_VALUES = 20
const TOP_FORMS = 10
/** Longer texts are cut, and known by what the whole text hashes to. */
export const MAX_CHARS = 200
/** The square of a greater number is beyond a double. */
export const MAX_SQUARABLE = 1e150

/**
 * One statement for several columns, which answers one row. The data are read twice: once as a whole, for what is counted
 * exactly in little memory, and once to draw rows from, for what would take memory or time with every value.
 */
export function profileSql(columns: readonly AskedColumn[], looked: Looked): string {
  const ats = [...columns.keys()]
  const shown = ats.filter((at) => !columns[at]?.isSecret)
  const kept = (of: readonly number[]) => `nr IN (${[-1, ...of].join(', ')})`
  const texts = ats.filter((at) => kindAt(columns, at) === 'text')
  const numeric = shown.filter((at) => isNumeric(kindAt(columns, at)))
  return `WITH whole AS MATERIALIZED (${wholeSql(columns, looked)}),
drawn AS MATERIALIZED (${drawnSql(columns, looked)}),
found AS MATERIALIZED (SELECT u.nr AS nr, u.v AS v, u.k AS k, count(*) AS n FROM (SELECT unnest(${structs(columns, valueSql)}) AS u FROM drawn)
  WHERE u.v IS NOT NULL GROUP BY u.nr, u.v, u.k),
numbers AS MATERIALIZED (SELECT u.nr AS nr, u.d AS d FROM (SELECT unnest(${structs(columns, numberSql, numeric)}) AS u FROM drawn) WHERE u.d IS NOT NULL),
bounds AS (SELECT b.nr AS nr, b.lo AS lo, b.hi AS hi FROM (SELECT unnest(${structs(columns, boundSql, numeric)}) AS b FROM whole)),
counts AS (SELECT nr, sum(n) AS n, count(*) AS differing, count(*) FILTER (WHERE n = 1) AS once FROM found GROUP BY nr),
tops AS (SELECT nr, v, n FROM found WHERE ${kept(shown)} QUALIFY row_number() OVER (PARTITION BY nr ORDER BY n DESC, v, k) <= ${TOP_VALUES}),
forms AS (SELECT nr, ${formSql('v')} AS form, sum(n) AS n FROM found WHERE ${kept(texts.filter((at) => shown.includes(at)))} GROUP BY nr, form),
common AS (SELECT nr, form, n FROM forms QUALIFY row_number() OVER (PARTITION BY nr ORDER BY n DESC, form) <= ${TOP_FORMS}),
looks AS (SELECT nr, ${lookSql('v', `length(v) > ${MAX_CHARS}`)} AS look, sum(n) AS n FROM found WHERE ${kept(texts)} GROUP BY nr, look),
quantiles AS (SELECT nr, quantile_disc(d, [${QUANTILES.join(', ')}]) AS q FROM numbers GROUP BY nr),
bins AS (SELECT nr, bin, count(*) AS n FROM (SELECT nr, ${binSql()} AS bin FROM numbers JOIN bounds USING (nr)) GROUP BY nr, bin)
SELECT whole.*, (SELECT count(*) FROM drawn) AS drawn,
  (SELECT list({nr: nr, n: n, differing: differing, once: once}) FROM counts) AS counts,
  (SELECT list({nr: nr, v: v, n: n} ORDER BY n DESC, v) FROM tops) AS tops,
  (SELECT list({nr: nr, form: form, n: n} ORDER BY n DESC, form) FROM common) AS forms,
  (SELECT list({nr: nr, look: look, n: n}) FROM looks) AS looks,
  (SELECT list({nr: nr, q: q}) FROM quantiles) AS quantiles,
  (SELECT list({nr: nr, lo: lo, hi: hi}) FROM bounds) AS bounds,
  (SELECT list({nr: nr, bin: bin, n: n}) FROM bins) AS bins
FROM whole`
}

const kindAt = (columns: readonly AskedColumn[], at: number) => kindOf(columns[at]?.type ?? '')
export const isNumeric = (kind: string): boolean => kind === 'whole' || kind === 'float' || kind === 'time'

/** The rows that are looked at, with an expression for each column. */
function selectSql(items: readonly string[], { where, sample }: Looked): string {
  const from =
    sample === undefined
      ? DATASET
      : `(SELECT * FROM ${DATASET} USING SAMPLE ${sample} PERCENT (bernoulli)) AS ${DATASET}`
  return `SELECT ${items.join(', ')} FROM ${from}${where === undefined ? '' : ` WHERE (\n${where}\n)`}`
}

/** Counts, extremes, moments, lengths and sketches of all rows. */
function wholeSql(columns: readonly AskedColumn[], looked: Looked): string {
  const items = columns.flatMap((column, at) => inputsOf(column, at))
  const aggregates = columns.flatMap((column, at) => aggregatesOf(column, at))
  return `SELECT count(*) AS total, ${aggregates.join(', ')} FROM (${selectSql(items, looked)})`
}

/** What the aggregates of a column are computed from: `r` is its value, `c` the same where it is finite, `d` a number, `l` a length. */
function inputsOf({ name: raw, type, isSecret }: AskedColumn, at: number): string[] {
  const kind = kindOf(type)
  const name = sqlName(raw)
  const value = kind === 'float' || kind === 'time' ? finite(name) : isEnum(type) ? `${name}::VARCHAR` : name
  return [
    `${name} AS r${at}`,
    ...(kind === 'other' || isSecret ? [] : [`${value} AS c${at}`]),
    ...(isNumeric(kind) && !isSecret ? [`${doubleSql(name, type)} AS d${at}`] : []),
    ...(isLong(type) && !isSecret ? [`length(${name}) AS l${at}`] : [])
  ]
}

function aggregatesOf({ type, isSecret }: AskedColumn, at: number): string[] {
  const kind = kindOf(type)
  const counted = [
    `count(r${at}) AS n${at}`,
    ...(kind === 'float' ? [`count(*) FILTER (WHERE isnan(r${at})) AS nan${at}`] : []),
    ...(kind === 'float' || kind === 'time' ? [`count(*) FILTER (WHERE isinf(r${at})) AS inf${at}`] : []),
    kind === 'boolean'
      ? `(bool_or(r${at})::INTEGER + bool_or(NOT r${at})::INTEGER) AS s${at}`
      : `approx_count_distinct(r${at}) AS s${at}`
  ]
  if (isSecret) return counted
  const least = kind === 'text' ? `left(min(c${at})::VARCHAR, ${MAX_CHARS})` : `min(c${at})`
  const greatest = kind === 'text' ? `left(max(c${at})::VARCHAR, ${MAX_CHARS})` : `max(c${at})`
  const number = type === 'DOUBLE' ? `CASE WHEN abs(d${at}) < ${MAX_SQUARABLE} THEN d${at} END` : `d${at}`
  return [
    ...counted,
    ...(kind === 'other' ? [] : [`${least} AS lo${at}`, `${greatest} AS hi${at}`]),
    ...(isNumeric(kind) ? [`avg(${number}) AS avg${at}`, `stddev_samp(${number}) AS sd${at}`] : []),
    ...(isLong(type) ? [`min(l${at}) AS ll${at}`, `max(l${at}) AS lh${at}`, `avg(l${at}) AS la${at}`] : [])
  ]
}

const isEnum = (type: string): boolean => type.startsWith('ENUM(')
/** Texts of any length. */
export const isLong = (type: string): boolean => type === 'VARCHAR' || type === 'JSON'
const finite = (name: string): string => `CASE WHEN isfinite(${name}) THEN ${name} END`

/** Numbers as they are, times in microseconds since 1970; null for what is not finite. */
function doubleSql(name: string, type: string): string {
  const kind = kindOf(type)
  if (kind === 'whole') return `${name}::DOUBLE`
  if (kind === 'float') return `CASE WHEN isfinite(${name}) THEN ${name}::DOUBLE END`
  const time = type === 'TIMESTAMP' || type.endsWith('TIME ZONE') ? name : `TRY_CAST(${name} AS TIMESTAMP)`
  return `CASE WHEN isfinite(${name}) THEN epoch_us(${time})::DOUBLE END`
}

/** Rows drawn at random from all. Texts are cut before, so that what is kept has a bound. */
function drawnSql(columns: readonly AskedColumn[], looked: Looked): string {
  const items = columns.flatMap(({ name: raw, type }, at) => {
    const name = sqlName(raw)
    if (kindOf(type) === 'other') return [`NULL AS v${at}`]
    if (!isLong(type)) return [`${name} AS v${at}`]
    const cut = `CASE WHEN strlen(${name}) <= ${MAX_CHARS} OR length(${name}) <= ${MAX_CHARS} THEN ${name} ELSE left(${name}, ${MAX_CHARS}) || '…' END`
    return [`${cut} AS v${at}`, `CASE WHEN strlen(${name}) > ${MAX_CHARS} THEN hash(${name}) END AS k${at}`]
  })
  return `SELECT * FROM (${selectSql(items, looked)}) USING SAMPLE reservoir(${looked.drawnRows} ROWS)`
}

/** A list of structs, one for each column that has one; of at least one, for SQL has no type for an empty list. */
function structs(
  columns: readonly AskedColumn[],
  structOf: (column: AskedColumn, at: number) => string,
  ats: readonly number[] = [...columns.keys()].filter((at) => kindAt(columns, at) !== 'other')
): string {
  const items = ats.map((at) => `{nr: ${at}, ${structOf(columns[at] as AskedColumn, at)}}`)
  return `[${items.join(', ')}]${items.length === 0 ? NO_STRUCTS : ''}`
}

const NO_STRUCTS = '::STRUCT(nr INTEGER, v VARCHAR, k UBIGINT, d DOUBLE, lo DOUBLE, hi DOUBLE)[]'

/** Zero is written in two ways, and is one value. */
function valueSql({ type }: AskedColumn, at: number): string {
  const value = kindOf(type) === 'float' ? `(v${at} + 0::${type})` : `v${at}`
  return `v: ${value}::VARCHAR, k: ${isLong(type) ? `k${at}` : 'NULL::UBIGINT'}`
}

const numberSql = ({ type }: AskedColumn, at: number): string => `d: ${doubleSql(`v${at}`, type)}`

const boundSql = ({ type }: AskedColumn, at: number): string =>
  `lo: ${doubleSql(`lo${at}`, type)}, hi: ${doubleSql(`hi${at}`, type)}`

/** Halves, because the difference of two numbers may be beyond a double. */
const binSql = (): string =>
  `CASE WHEN hi / 2 > lo / 2 THEN least(greatest(floor((d / 2 - lo / 2) / (hi / 2 - lo / 2) * ${BINS}), 0), ${BINS - 1}) ELSE 0 END::INTEGER`
