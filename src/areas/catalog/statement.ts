import { invalidField } from '../../errors.ts'

const MAX_NAME_CHARS = 200
const CREATE = /^\s*create\s+database\s+(?:"((?:[^"\\]|\\.)*)"|([\p{L}_][\p{L}\p{N}_]*))(?:\s+with\s.*)?\s*;?\s*$/isu

/** The name in `CREATE DATABASE "name"`, the one statement that old clients make by themselves before they write. */
export function databaseToCreate(statement: string): string {
  const [whole, quoted, plain = ''] = CREATE.exec(statement) ?? []
  if (whole === undefined) {
    throw invalidField('/query/q', 'must be CREATE DATABASE; POST /api/catalog/query answers questions')
  }
  const name = quoted?.replace(/\\(.)/gs, (_, char) => (char === 'n' ? '\n' : char)) ?? plain
  if (/^\S(.*\S)?$/u.test(name) && !/\p{Cc}/u.test(name) && name.length <= MAX_NAME_CHARS) return name
  throw invalidField(
    '/query/q',
    `must name a database of 1 to ${MAX_NAME_CHARS} characters, no spaces around it and no control characters`
  )
}
