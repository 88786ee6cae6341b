import { Cursor } from './cursor.ts'
import { lines } from './head.ts'

export interface Assignment {
  readonly column: string
  readonly value: string
}

/** `a = …, (b, c) = (…, …)`, up to one of these words. */
export function assignments(cursor: Cursor, ...ends: readonly (readonly string[])[]): Assignment[] {
  const all: Assignment[] = []
  do {
    const columns = cursor.isNext('(') ? cursor.list() : [cursor.path().at(-1) as string]
    cursor.expect('=')
    const value = cursor.until([','], ...ends)
    const values = columns.length === 1 ? [value] : valuesIn(value)
    if (values.length !== columns.length) throw cursor.givenUp()
    for (const [place, column] of columns.entries()) {
      all.push({ column: columns.length === 1 ? column : new Cursor(column).name(), value: values[place] as string })
    }
  } while (cursor.takes(','))
  return all
}

/** Those of `(x, y)` and `ROW (x, y)`. */
function valuesIn(text: string): string[] {
  const cursor = new Cursor(text)
  cursor.takes('ROW')
  const values = cursor.list()
  cursor.end()
  return values
}

/** A SELECT of the values. They get names that no column has: an assignment does not see the others. */
export const setItems = (set: readonly Assignment[]): string =>
  lines(
    'SELECT',
    ...set.map(({ value }, place) => `${value}\nAS "#${place + 1}"${place === set.length - 1 ? '' : ','}`)
  )
