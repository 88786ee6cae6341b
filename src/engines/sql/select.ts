import { SqlError } from './errors.ts'
import type { SqlCondition, SqlRead } from './index.ts'

/** How a database writes names and texts. */
interface Dialect {
  quoteName(name: string): string
  quoteText(text: string): string
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<', '<=', '>', '>='])
const WHOLE_NUMBER = /^-?\d{1,40}$/

/** The SELECT of a table, as far as a request narrows it. */
export function selectOf(table: string, { columns, where = [] }: SqlRead, dialect: Dialect): string {
  const list = columns === undefined ? '*' : columns.map(dialect.quoteName).join(', ')
  const conditions = where.map((condition) => conditionSql(condition, dialect))
  return `SELECT ${list} FROM ${table}${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}`
}

function conditionSql({ column, is, values }: SqlCondition, { quoteName, quoteText }: Dialect): string {
  const name = quoteName(column)
  if (is === 'null' || is === 'not null') return `${name} IS ${is.toUpperCase()}`
  const texts = values.map((value) => ('number' in value ? wholeNumber(value.number) : quoteText(value.text)))
  if (is === 'in') return `${name} IN (${texts.join(', ')})`
  // It came from a process that reads the SQL of strangers.
  if (!COMPARISONS.has(is)) throw new SqlError('invalid_query', 'A condition compares in a way that there is none of')
  return `${name} ${is} ${texts.join()}`
}

function wholeNumber(text: string): string {
  if (WHOLE_NUMBER.test(text)) return text
  throw new SqlError('invalid_query', 'A condition compares with what is no whole number')
}
