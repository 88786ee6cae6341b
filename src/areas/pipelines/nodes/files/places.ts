import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlText } from '../../../../data/relation.ts'
import type { Notes } from './notes.ts'

/** How many rows are asked for in one statement. */
const MAX_ASKED = 10_000

/**
 * Where rows of the converted file stand in the object. Row n is record n + plus, by the records before it that are not among
 * the rows; record n is in line n + shift, by the lines before it that are no records.
 */
export class Places {
  readonly #database: DuckDBConnection
  readonly #tables: { readonly gaps: string; readonly shifts: string } | undefined
  readonly #plus: number

  /** `plus` is that of all rows where there are no tables. */
  constructor(database: DuckDBConnection, plus: number, tables?: { gaps: string; shifts: string }) {
    this.#database = database
    this.#plus = plus
    this.#tables = tables
  }

  /** A SELECT of the same rows with the line as one more column; `row` is the name of the column with their numbers. */
  select(rows: string, row: string, name: string): string {
    if (this.#tables === undefined) return `SELECT *, ${row} + ${this.#plus} AS ${name} FROM (${rows})`
    const { gaps, shifts } = this.#tables
    return `SELECT p.*, p.${row} + g.plus + s.shift AS ${name} FROM (${rows}) p ASOF JOIN ${gaps} g ON p.${row} >= g.first_row
      ASOF JOIN ${shifts} s ON p.${row} + g.plus >= s.record ORDER BY p.${row}`
  }

  async linesOf(rows: readonly number[]): Promise<number[]> {
    if (this.#tables === undefined) return rows.map((row) => row + this.#plus)
    const lines = new Map<number, number>()
    for (let from = 0; from < rows.length; from += MAX_ASKED) {
      const asked = `SELECT unnest([${rows.slice(from, from + MAX_ASKED).join(', ')}]::BIGINT[]) AS n`
      const answer = await this.#database.runAndReadAll(this.select(asked, 'n', 'line'))
      for (const [row, line] of answer.getRows()) lines.set(Number(row), Number(line))
    }
    return rows.map((row) => lines.get(row) as number)
  }

  async drop(): Promise<void> {
    if (this.#tables === undefined) return
    await this.#database.run(`DROP TABLE IF EXISTS ${this.#tables.gaps}`)
    await this.#database.run(`DROP TABLE IF EXISTS ${this.#tables.shifts}`)
  }
}

/** Makes the table of shifts; a record is in line `record + shift` of the last one at or before it. */
export async function makeShifts(database: DuckDBConnection, table: string, shifts: Notes | undefined): Promise<void> {
  const noted =
    shifts === undefined || shifts.count === 0
      ? ''
      : ` UNION ALL SELECT * FROM read_json(${sqlText(shifts.path)}, format = 'newline_delimited', columns = {'record': 'BIGINT', 'shift': 'BIGINT'})`
  await database.run(
    `CREATE OR REPLACE TABLE ${table} AS SELECT record, last(shift) AS shift FROM (SELECT 0::BIGINT AS record, 0::BIGINT AS shift${noted}) GROUP BY record`
  )
}

/** Makes the table of gaps from the numbers of records that are not among the rows, each named once. */
export async function makeGaps(
  database: DuckDBConnection,
  table: string,
  records: string,
  plus: number
): Promise<void> {
  await database.run(
    `CREATE OR REPLACE TABLE ${table} AS SELECT first_row, max(plus) AS plus FROM (
       SELECT 0::BIGINT AS first_row, ${plus}::BIGINT AS plus
       UNION ALL SELECT record - nth - ${plus - 1}, nth + ${plus} FROM (SELECT record, row_number() OVER (ORDER BY record) AS nth FROM (${records})))
     GROUP BY first_row`
  )
}
