import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { sqlText } from '../../../data/relation.ts'
import type { DataColumn, DataRow } from '../../../data/sql-process/messages.ts'
import { toDataValue } from '../../../data/sql-process/row-values.ts'
import { Columns } from '../evaluation/columns.ts'
import { type Compiled, compile, DATASET } from '../evaluation/compile.ts'
import { type Counted, statementOf } from '../evaluation/statement.ts'
import { readProfile, type Told } from '../profile/reading.ts'
import { type Looked, profileSql } from '../profile/statement.ts'
import type { RuleConfig } from '../rules/schema.ts'
import type { RuleType } from '../words.ts'

export interface Question {
  readonly type: RuleType
  readonly config: RuleConfig
}

/** A table in a database of the test's own, which questions are asked of without a server. */
export class TestTable {
  readonly #connection: DuckDBConnection
  #columns = new Columns([])

  private constructor(connection: DuckDBConnection) {
    this.#connection = connection
  }

  static async open(): Promise<TestTable> {
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    await connection.run("SET TimeZone = 'UTC'")
    return new TestTable(connection)
  }

  /** Makes a relation of a SELECT; `dataset` is the one that is asked. */
  async fill(sql: string, relation = DATASET): Promise<void> {
    await this.#connection.run(`CREATE OR REPLACE TABLE ${relation} AS ${sql}`)
    if (relation === DATASET) await this.#describe()
  }

  /** Makes `dataset` a file of Parquet, in which so many rows are kept together. */
  async fillFile(sql: string, path: string, rowsTogether: number): Promise<void> {
    await this.#connection.run(`COPY (${sql}) TO ${sqlText(path)} (FORMAT parquet, ROW_GROUP_SIZE ${rowsTogether})`)
    await this.#connection.run(`CREATE OR REPLACE VIEW ${DATASET} AS SELECT * FROM read_parquet(${sqlText(path)})`)
    await this.#describe()
  }

  async #describe(): Promise<void> {
    const rows = await this.rows(`SELECT column_name, column_type FROM (DESCRIBE ${DATASET})`)
    this.#columns = new Columns(rows.map(([name, type]): DataColumn => ({ name: String(name), type: String(type) })))
  }

  compile(question: Question): Compiled {
    return compile(question, this.#columns, () => 'other') as Compiled
  }

  /** What all questions come to, asked in one statement. */
  ask(...questions: readonly Question[]): Promise<Counted[]> {
    return this.askAs('', ...questions)
  }

  /** The same, asked in the way in which it is asked of a dataset of that name. */
  async askAs(dataset: string, ...questions: readonly Question[]): Promise<Counted[]> {
    const { sql, read } = statementOf(
      dataset,
      questions.map((question) => this.compile(question))
    )
    return read((await this.rows(sql))[0] as DataRow) as Counted[]
  }

  /** What the columns look like, asked in one statement. */
  async profile(looked: Partial<Looked> = {}, isSecret: (column: string) => boolean = () => false): Promise<Told> {
    const asked = this.#columns.all.map((column) => ({ ...column, isSecret: isSecret(column.name) }))
    const reader = await this.#connection.runAndReadAll(profileSql(asked, { drawnRows: 20_000, ...looked }))
    const types = reader.columnTypes()
    const answer = reader.columnNames().map((name, at) => ({ name, type: String(types[at]) }))
    const [row = []] = reader.getRows().map((values) => values.map(toDataValue))
    return readProfile(asked, answer, row, looked.sample === undefined)
  }

  async rows(sql: string): Promise<DataRow[]> {
    const reader = await this.#connection.runAndReadAll(sql)
    return reader.getRows().map((row) => row.map(toDataValue))
  }

  close(): void {
    this.#connection.closeSync()
  }
}

/** A value as a literal of SQL. */
export function literal(value: string | number | boolean | null, type: string): string {
  if (value === null) return `NULL::${type}`
  return `${sqlText(String(value))}::${type}`
}
