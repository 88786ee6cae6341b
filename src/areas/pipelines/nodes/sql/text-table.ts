import { type FileHandle, open, rm } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { sqlName, sqlText } from '../../../../data/relation.ts'
import type { SqlType } from '../../../../engines/sql/index.ts'

interface TextColumn {
  readonly name: string
  readonly of: { readonly type: SqlType }
}

/** DuckDB takes a year before our era for one of it, unless it is written as DuckDB itself does. */
export const dateText = (column: string): string => `replace(${column}, ' BC', ' (BC)')`

/** A time of UTC as one with a zone, without asking the calendar of time zones; it has no number where it is infinite. */
const zoned = (column: string): string =>
  `CASE WHEN isfinite(${column}) THEN make_timestamptz(epoch_us(${column})) ELSE ${column}::TIMESTAMP WITH TIME ZONE END`

/** As which type lines are read, and what a column is made into then. */
const READ_AS: Readonly<Record<SqlType, readonly [read: string, made: (column: string) => string]>> = {
  boolean: ['BOOLEAN', (column) => column],
  integer: ['INTEGER', (column) => column],
  bigint: ['BIGINT', (column) => column],
  double: ['DOUBLE', (column) => column],
  decimal: ['VARCHAR', (column) => column],
  text: ['VARCHAR', (column) => column],
  date: ['VARCHAR', (column) => `${dateText(column)}::DATE`],
  timestamp: ['TIMESTAMP', (column) => column],
  timestamptz: ['TIMESTAMP', zoned],
  json: ['VARCHAR', (column) => `${column}::JSON`],
  blob: ['BLOB', (column) => column]
}

/** Gathers lines of text in a file, and has DuckDB make a table of them, which takes a tenth of what it takes to hand values over. */
export class TextTable {
  readonly #database: DuckDBConnection
  readonly #path: string
  readonly #columns: readonly TextColumn[]
  #file: FileHandle | undefined

  /** The file is for this table alone. */
  constructor(database: DuckDBConnection, file: string, columns: readonly TextColumn[]) {
    this.#database = database
    this.#path = file
    this.#columns = columns
  }

  async add(text: Uint8Array): Promise<void> {
    this.#file ??= await open(this.#path, 'w')
    // Goes on where the text before it ends.
    await this.#file.writeFile(text)
  }

  /**
   * Makes the table; false where a line is longer than two megabytes, or one of the values is none of its type, which somebody has to look at more closely. Fields
   * without a value are `\N`, and nothing else in the lines means anything but itself.
   */
  async make(table: string): Promise<boolean> {
    const read = this.#columns.map(({ of }, i) => `'c${i}': '${READ_AS[of.type][0]}'`).join(', ')
    const made = this.#columns
      .map(({ name, of }, i) => `${READ_AS[of.type][1](`c${i}`)} AS ${sqlName(name)}`)
      .join(', ')
    const options = `delim = '\t', quote = '', escape = '', nullstr = '\\N', header = false, auto_detect = false, new_line = '\\n'`
    await this.#close()
    try {
      await this.#database.run(
        `CREATE TABLE ${table} AS SELECT ${made} FROM read_csv(${sqlText(this.#path)}, ${options}, columns = {${read}})`
      )
      return true
    } catch {
      await this.#database.run(`DROP TABLE IF EXISTS ${table}`)
      return false
    } finally {
      await this.drop()
    }
  }

  async drop(): Promise<void> {
    await this.#close()
    await rm(this.#path, { force: true })
  }

  async #close(): Promise<void> {
    await this.#file?.close()
    this.#file = undefined
  }
}
