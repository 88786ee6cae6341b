import type { ColumnType, StreamValue } from '../index.ts'

/** How a database with tables is asked, where `engines/sql` has none of its kind. */
export interface Dialect {
  quote(name: string): string
  /**
   * A statement whose rows are columns, those of a table in their order and tables by name: schema, table, 1 for a view,
   * column, type, 1 where it may be null, its place in the primary key or 0, 1 where the table may be read.
   */
  columns(of: TableOf | undefined): string
  /** What a type of the database is here. */
  form(type: string): Form
  select(parts: Select): string
  /** Whether texts sort as what they were written as, so that reading can go on by them: times may be texts there. */
  readonly sortsTexts?: true
}

export interface TableOf {
  readonly schema: string
  readonly table: string
}

export interface Form {
  readonly type: ColumnType
  /** What is selected in place of the column, where its values would else lose something on the way. */
  select?(column: string): string
  /** A value as it comes, null left out; null where it does not fit. */
  decode(value: unknown): StreamValue
  /** A position as a value of the type in SQL; what it gets has the form of the column's type. */
  literal(position: string): string
}

/** The parts of a statement; rows are `t` in them. */
export interface Select {
  readonly columns: string
  readonly from: string
  readonly where: string | undefined
  readonly order: string | undefined
  /** With an order, all rows that have the same value as the last are wanted too. */
  readonly limit: number | undefined
}

/** A statement of the usual form, with what limits it at its end. */
export function usualSelect({ columns, from, where, order }: Select, end = ''): string {
  const filter = where === undefined ? '' : ` WHERE ${where}`
  return `SELECT ${columns} FROM ${from} t${filter}${order === undefined ? '' : ` ORDER BY ${order}`}${end}`
}

/** A text in SQL as the standard has it: a quote is doubled, nothing else means anything. */
export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A name in double quotes, as the standard has it. */
export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`
