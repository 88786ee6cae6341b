import { GivenUp } from '../effort.ts'

export interface Token {
  /** `word`: a name or keyword without quotes; `name`: one in quotes; `text`: a string; `sign`: anything else. */
  readonly kind: 'word' | 'name' | 'text' | 'sign'
  /** The upper-case word, the name without its quotes, or the sign. */
  readonly value: string
  readonly start: number
  readonly end: number
  /** How many brackets, and CASEs without their END, are open before it. */
  readonly depth: number
}

const LONGEST = 1_000_000
const SPACE = /\s+/y
const LINE_COMMENT = /--[^\n]*/y
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy
const NUMBER = /\d[\w.]*/y
const DOLLAR = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy

/** The words of a statement, so that its head can be told from the query in it. */
export function tokensOf(sql: string): Token[] {
  if (sql.length > LONGEST) throw new GivenUp(`The statement has more than ${LONGEST} characters.`)
  const tokens: Token[] = []
  let depth = 0
  let at = 0
  const add = (kind: Token['kind'], value: string, end: number) => {
    if (closes(kind, value)) depth = Math.max(0, depth - 1)
    tokens.push({ kind, value, start: at, end, depth })
    if (opens(kind, value)) depth++
    at = end
  }
  while (at < sql.length) {
    const skipped = ends(SPACE, sql, at) ?? ends(LINE_COMMENT, sql, at) ?? endOfComment(sql, at)
    if (skipped !== undefined) {
      at = skipped
      continue
    }
    const text = endOfText(sql, at) ?? endOfDollars(sql, at)
    const name = sql[at] === '"' ? endOfQuotes(sql, at) : undefined
    const word = ends(WORD, sql, at)
    if (text !== undefined) add('text', '', text)
    else if (name !== undefined) add('name', sql.slice(at + 1, name - 1).replaceAll('""', '"'), name)
    else if (word !== undefined) add('word', sql.slice(at, word).toUpperCase(), word)
    else add('sign', sql[at] as string, ends(NUMBER, sql, at) ?? at + 1)
  }
  return tokens
}

const opens = (kind: Token['kind'], value: string) =>
  kind === 'sign' ? '([{'.includes(value) : kind === 'word' && value === 'CASE'
const closes = (kind: Token['kind'], value: string) =>
  kind === 'sign' ? ')]}'.includes(value) : kind === 'word' && value === 'END'

function ends(pattern: RegExp, sql: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(sql) ? pattern.lastIndex : undefined
}

/** Of `'…'` and `E'…'`, where a backslash takes the next character with it. */
function endOfText(sql: string, at: number): number | undefined {
  if (sql[at] === "'") return endOfQuotes(sql, at)
  return (sql[at] === 'e' || sql[at] === 'E') && sql[at + 1] === "'" ? endOfQuotes(sql, at + 1, '\\') : undefined
}

/** Two quotes within quotes are one. */
function endOfQuotes(sql: string, start: number, escaping = ''): number {
  const quote = sql[start] as string
  for (let at = start + 1; at < sql.length; at++) {
    if (sql[at] === escaping) at++
    else if (sql[at] === quote) {
      if (sql[at + 1] !== quote) return at + 1
      at++
    }
  }
  throw new GivenUp('A quote that is not closed.')
}

/** Comments may stand in comments. */
function endOfComment(sql: string, start: number): number | undefined {
  if (!sql.startsWith('/*', start)) return undefined
  let depth = 0
  for (let at = start; at < sql.length; ) {
    if (sql.startsWith('/*', at)) {
      depth++
      at += 2
    } else if (sql.startsWith('*/', at)) {
      depth--
      at += 2
      if (depth === 0) return at
    } else at++
  }
  throw new GivenUp('A comment that is not closed.')
}

function endOfDollars(sql: string, at: number): number | undefined {
  const opened = ends(DOLLAR, sql, at)
  if (opened === undefined) return undefined
  const closed = sql.indexOf(sql.slice(at, opened), opened)
  if (closed === -1) throw new GivenUp('A quote that is not closed.')
  return closed + opened - at
}
