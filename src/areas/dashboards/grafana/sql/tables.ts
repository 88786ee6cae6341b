import { nextAt } from './places.ts'
import { isMark, isWord, nameIn, type Token } from './tokens.ts'
import { Untranslatable } from './values.ts'

/** In brackets behind these, FROM names no table: `extract(epoch FROM time)`. */
const WITH_FROM = ['extract', 'substring', 'trim', 'overlay', 'position']
/** Words that can follow a table and are no other name for it. */
const BEHIND = ['where', 'group', 'order', 'limit', 'join', 'left', 'right', 'inner', 'full', 'cross', 'on', 'union']

/** Database, schema, table and column. */
const MAX_PARTS = 4

const isName = (token: Token | undefined): token is Token => token?.kind === 'word' || token?.kind === 'name'
const nameOf = (token: Token): string => (token.kind === 'name' ? nameIn(token) : token.text)

/** `public.readings` as `readings`: what SQL of ours reads has one name. */
export function withoutSchemas(tokens: readonly Token[]): Token[] {
  const schemas = new Set<string>()
  for (const at of tablePlaces(tokens)) {
    const path = pathAt(tokens, at)
    if (path.length > 1) schemas.add(path.map((each) => nameOf(each).toLowerCase()).join('.'))
  }
  const kept: Token[] = []
  for (let at = 0; at < tokens.length; at++) {
    const path = isMark(tokens[at - 1], '.') ? [] : pathAt(tokens, at)
    const parts = path.map((each) => nameOf(each).toLowerCase())
    const length = parts.findIndex((_, i) => i > 0 && schemas.has(parts.slice(0, i + 1).join('.')))
    // Each part but the last stands before a dot.
    if (length > 0) at += length * 2
    kept.push(tokens[at] as Token)
  }
  return kept
}

/** The names of the tables that it reads, once each, in lower and upper case as they are first written. */
export function tablesIn(tokens: readonly Token[]): string[] {
  const own = commonTables(tokens)
  const found = new Map<string, string>()
  for (const at of tablePlaces(tokens)) {
    const name = nameOf(tokens[at] as Token)
    const key = name.toLowerCase()
    if (!own.has(key) && !found.has(key)) found.set(key, name)
  }
  return [...found.values()]
}

/** `a`, `.`, `b` without blanks between them. */
function pathAt(tokens: readonly Token[], at: number): Token[] {
  const path: Token[] = []
  for (let index = at; isName(tokens[index]) && path.length < MAX_PARTS; index += 2) {
    path.push(tokens[index] as Token)
    if (!isMark(tokens[index + 1], '.')) break
  }
  return path
}

/** Names that WITH gives to its own queries. */
function commonTables(tokens: readonly Token[]): Set<string> {
  const names = new Set<string>()
  const closeOf = closings(tokens)
  tokens.forEach((token, at) => {
    if (!isName(token)) return
    let next = nextAt(tokens, at + 1)
    if (isMark(tokens[next], '(')) next = nextAt(tokens, closeOf(next) + 1)
    if (!isWord(tokens[next], 'as')) return
    next = nextAt(tokens, next + 1)
    if (isWord(tokens[next], 'not')) next = nextAt(tokens, next + 1)
    if (isWord(tokens[next], 'materialized')) next = nextAt(tokens, next + 1)
    if (isMark(tokens[next], '(') && isWord(tokens[nextAt(tokens, next + 1)], 'select', 'with', 'values')) {
      names.add(nameOf(token).toLowerCase())
    }
  })
  return names
}

/** Where the bracket at each place is closed; what never is, at the end. Found once, for there may be thousands. */
function closings(tokens: readonly Token[]): (open: number) => number {
  const closes = new Map<number, number>()
  const open: number[] = []
  tokens.forEach((token, at) => {
    if (isMark(token, '(')) open.push(at)
    const opened = isMark(token, ')') ? open.pop() : undefined
    if (opened !== undefined) closes.set(opened, at)
  })
  return (at) => closes.get(at) ?? tokens.length
}

/** Where the names of tables begin: behind FROM and JOIN, and behind the commas of a FROM. */
function tablePlaces(tokens: readonly Token[]): number[] {
  const places: number[] = []
  const closeOf = closings(tokens)
  /** For each open bracket, whether FROM means something else in it. */
  const brackets: boolean[] = []
  let before: Token | undefined
  tokens.forEach((token, at) => {
    if (isMark(token, '(')) brackets.push(isWord(before, ...WITH_FROM))
    if (isMark(token, ')')) brackets.pop()
    const isFrom = isWord(token, 'from') && !brackets.at(-1) && !isWord(before, 'distinct')
    if (isFrom || isWord(token, 'join')) places.push(...listFrom(tokens, nextAt(tokens, at + 1), closeOf))
    if (token.kind !== 'space' && token.kind !== 'comment') before = token
  })
  return places
}

function listFrom(tokens: readonly Token[], first: number, closeOf: (open: number) => number): number[] {
  const places: number[] = []
  for (let at = first; ; ) {
    if (isWord(tokens[at], 'lateral', 'only')) at = nextAt(tokens, at + 1)
    let end: number
    if (isMark(tokens[at], '(')) end = closeOf(at) + 1
    else if (isName(tokens[at]) && !isWord(tokens[at], 'from', 'join')) {
      end = at + pathAt(tokens, at).length * 2 - 1
      const next = nextAt(tokens, end)
      if (isMark(tokens[next], '(')) end = closeOf(next) + 1
      else places.push(at)
    } else throw new Untranslatable('what it reads from is not understood')
    const comma = behindAlias(tokens, end, closeOf)
    if (!isMark(tokens[comma], ',')) return places
    at = nextAt(tokens, comma + 1)
  }
}

/** The next token behind `AS alias (columns)`, which may be missing as a whole or in part. */
function behindAlias(tokens: readonly Token[], from: number, closeOf: (open: number) => number): number {
  let at = nextAt(tokens, from)
  if (isWord(tokens[at], 'as')) at = nextAt(tokens, at + 1)
  if (isName(tokens[at]) && !isWord(tokens[at], ...BEHIND)) at = nextAt(tokens, at + 1)
  return isMark(tokens[at], '(') ? nextAt(tokens, closeOf(at) + 1) : at
}
