import { GivenUp } from '../effort.ts'
import { assignments, setItems } from './assignments.ts'
import { Cursor, quoted } from './cursor.ts'
import { type Head, type HeadPart, lines } from './head.ts'
import { readMerge } from './merge.ts'

type ColumnsOf = (target: readonly string[]) => readonly string[] | null

const RETURNING = ['RETURNING']

/**
 * Reads the head of a statement that writes, word by word, and puts what it writes into queries, which DuckDB's parser can
 * read: it gives trees of queries alone. Null: it is a query itself. What is not expected at its place is given up.
 */
export function readHead(sql: string, columnsOf: ColumnsOf): Head | null {
  const cursor = new Cursor(sql)
  const common = cursor.isNext('WITH') ? commonText(cursor) : ''
  if (cursor.takes('INSERT')) return readInsert(cursor, common, columnsOf)
  if (cursor.takes('UPDATE')) return readUpdate(cursor, common)
  if (cursor.takes('DELETE', 'FROM')) return readDelete(cursor, common)
  if (cursor.takes('MERGE', 'INTO')) return readMerge(cursor, common)
  if (common !== '') return null
  if (cursor.takes('TRUNCATE')) {
    cursor.takes('TABLE')
    return { target: cursor.path(), parts: [] }
  }
  if (cursor.takes('CREATE')) return readCreate(cursor)
  const isQuery = ['SELECT', 'FROM', 'VALUES', 'TABLE', 'PIVOT', 'UNPIVOT', 'DESCRIBE', 'SHOW', 'SUMMARIZE', '(']
  if (isQuery.some((word) => cursor.isNext(word))) return null
  throw cursor.givenUp()
}

/** WITH and its parts, up to the statement that they are for. */
function commonText(cursor: Cursor): string {
  const ends = ['SELECT', 'FROM', 'VALUES', 'INSERT', 'UPDATE', 'DELETE', 'MERGE'].map((word) => [word])
  return cursor.until(...ends)
}

function readInsert(cursor: Cursor, common: string, columnsOf: ColumnsOf): Head {
  if (cursor.takes('OR') && !cursor.takes('REPLACE')) cursor.expect('IGNORE')
  cursor.expect('INTO')
  const target = cursor.path()
  const alias = cursor.takes('AS') ? cursor.name() : null
  const list =
    cursor.isNext('(') && !cursor.isNext('(', 'SELECT') && !cursor.isNext('(', 'FROM')
      ? cursor.list().map(nameIn)
      : null
  const isByName = cursor.takes('BY', 'NAME')
  if (!isByName) cursor.takes('BY', 'POSITION')
  if (cursor.takes('DEFAULT', 'VALUES')) return { target, parts: [] }
  const query = cursor.until(['ON', 'CONFLICT', '('], ['ON', 'CONFLICT', 'DO'], RETURNING)
  const columns = list ?? (isByName ? 'by name' : 'in order')
  const sql = common === '' ? query : lines(common, 'SELECT * FROM (', query, ')')
  const parts: HeadPart[] = [{ sql, readsTarget: false, columns }]
  if (cursor.takes('ON', 'CONFLICT')) {
    const names = list ?? (isByName ? null : columnsOf(target))
    const excluded = lines('(', query, `) AS excluded${names === null ? '' : `(${names.map(quoted).join(', ')})`}`)
    const own = `${target.map(quoted).join('.')} AS ${quoted(alias ?? (target.at(-1) as string))}`
    parts.push(...readConflict(cursor, common, `${own}, ${excluded}`))
  }
  skipReturning(cursor)
  return { target, parts }
}

/** What is done with rows that are there already. */
function readConflict(cursor: Cursor, common: string, from: string): HeadPart[] {
  if (cursor.isNext('(')) cursor.list()
  cursor.until(['DO'])
  cursor.expect('DO')
  if (cursor.takes('NOTHING')) return []
  cursor.expect('UPDATE', 'SET')
  const set = assignments(cursor, ['WHERE'], RETURNING)
  const where = cursor.takes('WHERE') ? lines('WHERE', cursor.until(RETURNING)) : ''
  return [
    {
      sql: lines(common, setItems(set), `FROM ${from}`, where),
      readsTarget: true,
      columns: set.map(({ column }) => column)
    }
  ]
}

function readUpdate(cursor: Cursor, common: string): Head {
  const target = cursor.path()
  const alias = cursor.alias('SET')
  cursor.expect('SET')
  const set = assignments(cursor, ['FROM'], ['WHERE'], RETURNING)
  const others = cursor.takes('FROM') ? cursor.until(['WHERE'], RETURNING) : ''
  const columns = set.map(({ column }) => column)
  return { target, parts: [{ ...ofRows(cursor, [common, setItems(set)], { target, alias, others }), columns }] }
}

function readDelete(cursor: Cursor, common: string): Head {
  const target = cursor.path()
  const alias = cursor.alias('USING', 'WHERE', 'RETURNING')
  const others = cursor.takes('USING') ? cursor.until(['WHERE'], RETURNING) : ''
  return { target, parts: [{ ...ofRows(cursor, [common, 'SELECT 1'], { target, alias, others }), columns: null }] }
}

interface Rows {
  readonly target: readonly string[]
  readonly alias: string | null
  readonly others: string
}

/** A SELECT over rows of the target, and WHERE. */
function ofRows(cursor: Cursor, start: readonly string[], { target, alias, others }: Rows) {
  const where = cursor.takes('WHERE') ? lines('WHERE', cursor.until(RETURNING)) : ''
  skipReturning(cursor)
  const own = `FROM ${target.map(quoted).join('.')}${alias === null ? '' : ` AS ${quoted(alias)}`}`
  return { sql: lines(...start, own, others === '' ? '' : `, ${others}`, where), readsTarget: true }
}

function skipReturning(cursor: Cursor): void {
  if (cursor.takes('RETURNING')) cursor.until()
  cursor.end()
}

function readCreate(cursor: Cursor): Head {
  cursor.takes('OR', 'REPLACE')
  for (const word of ['LOCAL', 'TEMP', 'TEMPORARY', 'MATERIALIZED']) cursor.takes(word)
  if (!cursor.takes('TABLE')) cursor.expect('VIEW')
  cursor.takes('IF', 'NOT', 'EXISTS')
  const target = cursor.path()
  const list = cursor.isNext('(') ? cursor.list() : null
  if (cursor.isAtEnd && list !== null) return { target, parts: [] }
  cursor.expect('AS')
  const sql = cursor.until(['WITH', 'NO', 'DATA'], ['WITH', 'DATA'])
  if (!cursor.takes('WITH', 'NO', 'DATA')) cursor.takes('WITH', 'DATA')
  cursor.end()
  return { target, parts: [{ sql, readsTarget: false, columns: list?.map(nameIn) ?? 'by name' }] }
}

/** A name that stands alone in a list. */
function nameIn(text: string): string {
  const cursor = new Cursor(text)
  const name = cursor.name()
  if (!cursor.isAtEnd) throw new GivenUp(`The name ${text}.`)
  return name
}
