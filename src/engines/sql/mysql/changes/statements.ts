import type { CapturedTable } from './table.ts'

/** A statement that stands in the log as a text, and the database that it was run in. */
export interface LoggedStatement {
  readonly database: string
  readonly text: string
}

export function statementOf(body: Buffer): LoggedStatement {
  const nameLength = body.readUInt8(8)
  const nameAt = 13 + body.readUInt16LE(11)
  const database = body.toString('utf8', nameAt, nameAt + nameLength)
  return { database, text: body.toString('utf8', nameAt + nameLength + 1) }
}

const NAME = '(?:`((?:[^`]|``)+)`|([\\w$\\u0080-\\uffff]+))'
const TRUNCATE = new RegExp(
  `^(?:\\s|/\\*[\\s\\S]*?\\*/|--\\s.*\\n|#.*\\n)*truncate\\s+(?:table\\s+)?${NAME}(?:\\s*\\.\\s*${NAME})?`,
  'i'
)

export function truncates({ database, text }: LoggedStatement, name: CapturedTable['name']): boolean {
  const match = TRUNCATE.exec(text)
  if (match === null) return false
  const [, quoted, plain, quotedSecond, plainSecond] = match
  const first = quoted?.replaceAll('``', '`') ?? plain
  const second = quotedSecond?.replaceAll('``', '`') ?? plainSecond
  return second === undefined ? database === name[0] && first === name[1] : first === name[0] && second === name[1]
}
