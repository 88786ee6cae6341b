import type { DataPlane } from '../../../data/plane.ts'
import type { DataRow } from '../../../data/sql-process/messages.ts'
import type { Clock } from '../../../engines/clock.ts'
import { withData } from '../../../http/data-problems.ts'
import { isMet, type ParsedCondition } from '../rules/conditions.ts'
import { ASK_MS, asked, storable } from './asking.ts'
import { type Failure, type Found, keyOf, type LabelledReading, MAX_INSTANCES, tooMany } from './readings.ts'

export type SqlCondition = Extract<ParsedCondition, { kind: 'sql' }>

export interface SqlNeeds {
  readonly clock: Clock
  readonly log: { error(facts: object, message: string): void }
  readonly plane: Pick<DataPlane, 'query'>
}

const QUERIES_AT_ONCE = 2
const MAX_LABEL_CHARS = 1024
const NUMBERS = /^(?:U?(?:TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|DOUBLE|DECIMAL.*|BOOLEAN)$/
const TEXTS = /^(?:VARCHAR|ENUM.*|UUID)$/

/** What all conditions of SQL say now; those with the same SQL over the same data share one query. */
export async function readSql(
  needs: SqlNeeds,
  conditions: readonly SqlCondition[],
  signal: AbortSignal
): Promise<Map<SqlCondition, Found>> {
  const found = new Map<SqlCondition, Found>()
  const groups = [...Map.groupBy(conditions, ({ sql, relations }) => JSON.stringify([sql, relations])).values()]
  const work = async () => {
    for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
      const { sql, relations } = group[0] as SqlCondition
      const table = await asked(needs, Object.values(relations).join(', '), signal, (limited) =>
        withData(() => rowsOf(needs, sql, relations, limited))
      )
      for (const condition of group) found.set(condition, 'error' in table ? table : readingsOf(condition, table))
    }
  }
  await Promise.all(Array.from({ length: QUERIES_AT_ONCE }, work))
  return found
}

interface Table {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly DataRow[]
}

async function rowsOf(
  { plane }: SqlNeeds,
  sql: string,
  relations: SqlCondition['relations'],
  signal: AbortSignal
): Promise<Table> {
  const limits = { timeoutMs: ASK_MS, maxRows: MAX_INSTANCES + 1 }
  const answer = await plane.query({ sql, relations, limits, signal })
  return { rows: await answer.rows(), columns: answer.columns }
}

function readingsOf(condition: SqlCondition, { columns, rows }: Table): Found {
  if (rows.length > MAX_INSTANCES) return tooMany('rows')
  const valueAt = valueColumn(columns)
  if (typeof valueAt !== 'number') return valueAt
  const texts = columns.flatMap(({ name, type }, at) => (at !== valueAt && TEXTS.test(type) ? [{ name, at }] : []))
  const readings = new Map<string, LabelledReading>()
  for (const row of rows) {
    const labels = Object.fromEntries(
      texts.flatMap(({ name, at }) => (row[at] === null ? [] : [[storable(name), storable(String(row[at]))]]))
    )
    const long = Object.values(labels).find((text) => text.length > MAX_LABEL_CHARS)
    if (long !== undefined) return failure(`A label has over ${MAX_LABEL_CHARS} characters: shorten the texts.`)
    const key = keyOf(labels)
    if (readings.has(key)) return failure(`Two rows have the labels ${shown(key)}: group by the texts, or add one.`)
    readings.set(key, { labels, reading: judge(condition, row[valueAt]), threshold: condition.threshold })
  }
  return { readings: [...readings.values()], unmentioned: 'vanished' }
}

/** The column `value`, or the only one with numbers. */
function valueColumn(columns: Table['columns']): number | Failure {
  const named = columns.findIndex(({ name }) => name === 'value')
  const numbers = columns.flatMap(({ type }, at) => (NUMBERS.test(type) ? [at] : []))
  if (named >= 0) {
    return numbers.includes(named) ? named : failure('The column value does not hold numbers.')
  }
  if (numbers.length === 1) return numbers[0] as number
  const many = numbers.length === 0 ? 'No column holds' : `${numbers.length} columns hold`
  return failure(`${many} numbers: call the one that is to be compared value.`)
}

/** Numbers that JSON can't hold come as texts; one that is not a number says nothing. */
function judge(condition: SqlCondition, cell: unknown): LabelledReading['reading'] {
  const value = cell === null || cell === undefined ? Number.NaN : Number(cell)
  return Number.isNaN(value) ? { kind: 'noData' } : { kind: 'value', value, isMet: isMet(condition, value) }
}

const failure = (error: string): Failure => ({ error, cause: 'sql' })

const shown = (text: string) => (text.length > 200 ? `${text.slice(0, 200)}…` : text)
