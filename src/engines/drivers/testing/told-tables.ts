import { RECORDS } from './http-suite.ts'

/** What a statement of the driver is answered with by a server that understands no others. */
export interface ToldTables {
  /** The rows that list columns, as `Dialect.columns` says. */
  readonly listed: readonly (readonly unknown[])[]
  /** The rows of `readings`, which has the number of a batch at its second place. */
  readonly readings: readonly (readonly unknown[])[]
  /** Rows of another table. */
  readonly odd: readonly (readonly unknown[])[]
}

/** Rows of `id`, `batch` and a label, as texts or as numbers. */
export const numbered = (form: (value: number) => unknown): unknown[][] =>
  Array.from({ length: RECORDS }, (_, id) => [form(id), form(Math.floor(id / 7)), `n${id}`])

export function answerOf(statement: string, { listed, readings, odd }: ToldTables): readonly (readonly unknown[])[] {
  if (/information_schema/i.test(statement)) {
    const [, wanted] = /table_name = '([^']*)'/.exec(statement) ?? []
    return listed.filter(([, table]) => wanted === undefined || table === wanted)
  }
  if (!/FROM\s+\S+\.?["`]?readings/i.test(statement)) return /odd/.test(statement) ? odd : [['1']]
  const [, after] = /batch["`]? > '?(\d+)/.exec(statement) ?? []
  const rows = after === undefined ? readings : readings.filter(([, batch]) => Number(batch) > Number(after))
  const [, limit] = /(?:FETCH FIRST|LIMIT) (\d+)/.exec(statement) ?? []
  return limit === undefined || /ORDER BY/.test(statement) ? rows : rows.slice(0, Number(limit))
}
