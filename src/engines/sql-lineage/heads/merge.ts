import { assignments, setItems } from './assignments.ts'
import { Cursor, quoted } from './cursor.ts'
import { type Head, type HeadPart, lines } from './head.ts'

const WHEN = ['WHEN', 'MATCHED']
const WHEN_NOT = ['WHEN', 'NOT', 'MATCHED']
const ENDS = [WHEN, WHEN_NOT, ['RETURNING']]

/** MERGE: what each WHEN writes, of the rows of both tables. */
export function readMerge(cursor: Cursor, common: string): Head {
  const target = cursor.path()
  const alias = cursor.alias('USING')
  cursor.expect('USING')
  const source = cursor.until(['ON'], ['USING', '('])
  const isOn = cursor.takes('ON')
  if (!isOn) cursor.expect('USING')
  const condition = cursor.until(...ENDS)
  const own = `FROM ${target.map(quoted).join('.')}${alias === null ? '' : ` AS ${quoted(alias)}`}`
  const from = lines(own, 'JOIN', source, isOn ? 'ON' : 'USING', condition)
  const parts: HeadPart[] = [{ sql: lines(common, 'SELECT 1', from), readsTarget: true, columns: null }]
  while (cursor.takes('WHEN')) {
    const part = readWhen(cursor, lines(common), from, nameOf(source))
    if (part !== null) parts.push(part)
  }
  if (cursor.takes('RETURNING')) cursor.until()
  cursor.end()
  return { target, parts }
}

function readWhen(cursor: Cursor, common: string, from: string, source: string): HeadPart | null {
  cursor.takes('NOT')
  cursor.expect('MATCHED')
  if (cursor.takes('BY') && !cursor.takes('SOURCE')) cursor.expect('TARGET')
  const where = cursor.takes('AND') ? lines('WHERE', cursor.until(['THEN'])) : ''
  cursor.expect('THEN')
  const part = (items: string, columns: HeadPart['columns']): HeadPart => ({
    sql: lines(common, items, from, where),
    readsTarget: true,
    columns
  })
  if (cursor.takes('DELETE') || cursor.takes('DO', 'NOTHING')) return part('SELECT 1', null)
  const whole = (columns: HeadPart['columns']) => part(`SELECT ${source}.*`, columns)
  if (cursor.takes('UPDATE')) {
    const isByName = cursor.takes('BY', 'NAME')
    if (!isByName) cursor.takes('BY', 'POSITION')
    if (!cursor.takes('SET') || cursor.takes('*')) return whole(isByName ? 'by name' : 'in order')
    const set = assignments(cursor, ...ENDS)
    return part(
      setItems(set),
      set.map(({ column }) => column)
    )
  }
  cursor.expect('INSERT')
  const isByName = cursor.takes('BY', 'NAME')
  if (!isByName) cursor.takes('BY', 'POSITION')
  const list = cursor.isNext('(') ? cursor.list().map((name) => new Cursor(name).name()) : null
  if (cursor.takes('DEFAULT', 'VALUES')) return null
  if (!cursor.takes('VALUES')) {
    cursor.takes('*')
    return whole(list ?? (isByName ? 'by name' : 'in order'))
  }
  const values = cursor.list().map((value) => ({ column: '', value }))
  return part(setItems(values), list ?? 'in order')
}

/** By which expressions know the rows that are merged. */
function nameOf(source: string): string {
  const cursor = new Cursor(source)
  let path: string[] = []
  if (cursor.isNext('(')) cursor.list()
  else path = cursor.path()
  const alias = cursor.alias()
  if (alias === null && path.length === 0) throw cursor.givenUp()
  if (cursor.isNext('(')) cursor.list()
  cursor.end()
  return quoted(alias ?? (path.at(-1) as string))
}
