import { mentionsIn } from '../mentions.ts'
import { type Argument, macroSql } from './macros.ts'
import { lastBefore, nextAt, openBefore } from './places.ts'
import { tablesIn, withoutSchemas } from './tables.ts'
import { onlyVariable, textExpression } from './texts.ts'
import { type Dialect, isMark, isWord, nameIn, quoted, saidBy, type Token, tokensOf } from './tokens.ts'
import { constantWord, isNumeric, requireVariable, type SqlVariables, Untranslatable } from './values.ts'

export interface Translated {
  readonly sql: string
  /** The tables that it reads, without their schemas. */
  readonly tables: readonly string[]
  readonly notes: readonly string[]
}

/** What a panel here can have. */
export const MAX_SQL_CHARS = 20_000
export const TOO_LONG = `its SQL is longer than ${MAX_SQL_CHARS} characters`
const MAX_NESTED = 3

/** Behind these, a variable without quotes is a value. */
const BEFORE_VALUES = ['=', '<>', '!=', '<', '>', '<=', '>=', '~', '~*', '!~', '!~*', '||', '+', '/', '%']
const WORDS_BEFORE_VALUES = ['like', 'ilike', 'limit', 'offset', 'between', 'then', 'else', 'regexp', 'rlike']
const TYPES = ['interval', 'timestamp', 'timestamptz', 'date', 'time']

/**
 * SQL of Grafana as SQL of ours: macros written out, variables as parameters. Answers a sentence where it holds anything
 * that has no such meaning, for it is never guessed.
 */
export function translateSql(sql: string, dialect: Dialect, variables: SqlVariables): Translated | { problem: string } {
  try {
    return new Translation(dialect, variables).of(sql)
  } catch (error) {
    if (error instanceof Untranslatable) return { problem: error.message }
    throw error
  }
}

class Translation {
  readonly #dialect: Dialect
  readonly #variables: SqlVariables
  readonly #notes = new Set<string>()
  /** How many macros what is written now stands in. */
  #depth = 0

  constructor(dialect: Dialect, variables: SqlVariables) {
    this.#dialect = dialect
    this.#variables = variables
  }

  of(sql: string): Translated {
    const ours = this.#rewrite(tokensOf(sql.trim().replace(/;\s*$/, ''), this.#dialect))
    const tokens = tokensOf(ours, 'postgres')
    if (!isWord(tokens[nextAt(tokens, 0)], 'select', 'with')) throw new Untranslatable('it is no SELECT')
    if (tokens.some(({ kind, text }) => kind === 'mark' && /['"`]/.test(text)))
      throw new Untranslatable('a quote is not closed')
    if (tokens.some((token) => isMark(token, ';'))) throw new Untranslatable('it has several statements')
    const plain = withoutSchemas(tokens)
    return {
      sql: plain.map(({ text }) => text).join(''),
      tables: tablesIn(plain),
      notes: [...this.#notes]
    }
  }

  #rewrite(tokens: readonly Token[]): string {
    const written: string[] = []
    let chars = 0
    for (let at = 0; at < tokens.length; ) {
      const { texts, next } = this.#step(tokens, at, written)
      written.push(...texts)
      for (const text of texts) chars += text.length
      // Macros may stand within each other, and some write what they are given twice.
      if (chars > MAX_SQL_CHARS) throw new Untranslatable(TOO_LONG)
      at = next
    }
    return written.join('')
  }

  /** Writes what begins there, and answers where the next begins; it may take back what was written just before. */
  #step(tokens: readonly Token[], at: number, written: string[]): { texts: string[]; next: number } {
    const token = tokens[at] as Token
    if (isWord(token, 'in')) return this.#list(tokens, at, written)
    if (token.kind === 'string') return { texts: [this.#text(tokens, at, written)], next: at + 1 }
    if (token.kind === 'mention') return this.#mention(tokens, at)
    if (token.kind === 'name') return { texts: [this.#name(token)], next: at + 1 }
    // A comment of MySQL would be none here.
    if (token.kind === 'comment' && token.text.startsWith('#'))
      return { texts: [`--${token.text.slice(1)}`], next: at + 1 }
    return { texts: [token.text], next: at + 1 }
  }

  /** `IN ($names)`: a variable with several values is one parameter, which is a list. */
  #list(tokens: readonly Token[], at: number, written: string[]): { texts: string[]; next: number } {
    const open = nextAt(tokens, at + 1)
    const inside = nextAt(tokens, open + 1)
    const close = nextAt(tokens, inside + 1)
    const name = this.#variableAt(tokens[inside])
    const isList = isMark(tokens[open], '(') && isMark(tokens[close], ')') && name !== undefined
    const variable = isList ? this.#variables.get(name) : undefined
    if (variable === undefined || !variable.multiple) return { texts: [(tokens[at] as Token).text], next: at + 1 }
    if (isNumeric(variable)) {
      this.#notes.add(
        `The values of $${name} are texts: where they are compared with numbers, cast the numbers to text.`
      )
    }
    const isNot = takeBackWord(written, 'not')
    return { texts: [isNot ? `<> all($${name})` : `= any($${name})`], next: close + 1 }
  }

  #variableAt(token: Token | undefined): string | undefined {
    if (token?.kind === 'string') return onlyVariable(saidBy(token, this.#dialect), this.#variables)
    return token?.kind === 'mention' ? onlyVariable(token.text, this.#variables) : undefined
  }

  #text(tokens: readonly Token[], at: number, written: string[]): string {
    const token = tokens[at] as Token
    const said = saidBy(token, this.#dialect)
    if (!mentionsIn(said).some(({ name }) => this.#isMeant(name))) {
      return this.#dialect === 'postgres' ? token.text : quoted(said)
    }
    const list = this.#comparedList(tokens, at)
    if (list !== undefined) return list
    const expression = textExpression(said, this.#variables)
    const type = TYPES.find((word) => isWord(tokens[lastBefore(tokens, at)], word))
    if (type === undefined || !takeBackWord(written, type)) return expression
    return `CAST(${expression} AS ${type.toUpperCase()})`
  }

  /** Names such as `$1` in a pattern, and macros within a text, are left alone. */
  #isMeant(name: string): boolean {
    if (this.#variables.has(name)) return true
    if (/^\d/.test(name)) return false
    return !['__timeFilter', '__timeGroup', '__timeGroupAlias', '__timeFrom', '__timeTo', '__time'].includes(name)
  }

  #name(token: Token): string {
    const said = nameIn(token)
    const parts: string[] = []
    let from = 0
    for (const { name, start, end } of mentionsIn(said)) {
      parts.push(said.slice(from, start), constantWord(this.#variables, name))
      from = end
    }
    const named = parts.join('') + said.slice(from)
    return `"${named.replaceAll('"', '""')}"`
  }

  #mention(tokens: readonly Token[], at: number): { texts: string[]; next: number } {
    const [mention] = mentionsIn((tokens[at] as Token).text)
    if (mention === undefined) throw new Untranslatable(`${(tokens[at] as Token).text} is not understood`)
    const { name, format } = mention
    if (name.startsWith('__')) return this.#macro(name, tokens, at)
    if (isJoined(tokens, at)) return { texts: [constantWord(this.#variables, name)], next: at + 1 }
    const variable = requireVariable(this.#variables, name)
    const list = this.#comparedList(tokens, at)
    if (list !== undefined) return { texts: [list], next: at + 1 }
    if (variable.multiple)
      throw new Untranslatable(`$${name} can have several values, and stands where there can be one`)
    if (['sqlstring', 'singlequote'].includes(format) || this.#isValue(tokens, at) || isNumeric(variable)) {
      return { texts: [`$${name}`], next: at + 1 }
    }
    return { texts: [constantWord(this.#variables, name)], next: at + 1 }
  }

  /** `= $name` of a variable with several values: equal to any of them. */
  #comparedList(tokens: readonly Token[], at: number): string | undefined {
    const name = this.#variableAt(tokens[at])
    if (name === undefined || !this.#variables.get(name)?.multiple) return undefined
    return isMark(tokens[lastBefore(tokens, at)], '=') ? `any($${name})` : undefined
  }

  #isValue(tokens: readonly Token[], at: number): boolean {
    const index = lastBefore(tokens, at)
    const before = tokens[index]
    if (isMark(before, '(') || isMark(before, ',')) return isInList(tokens, index)
    if (isWord(before, 'and')) return isInBetween(tokens, index)
    return BEFORE_VALUES.some((mark) => isMark(before, mark)) || isWord(before, ...WORDS_BEFORE_VALUES)
  }

  #macro(name: string, tokens: readonly Token[], at: number): { texts: string[]; next: number } {
    const open = nextAt(tokens, at + 1)
    const found = isMark(tokens[open], '(') ? argumentsFrom(tokens, open) : { given: [], next: at + 1 }
    if (this.#depth === MAX_NESTED)
      throw new Untranslatable(`it has macros within macros, more than ${MAX_NESTED} deep`)
    this.#depth++
    const given = found.given.map((each): Argument => {
      const written = each
        .map(({ text }) => text)
        .join('')
        .trim()
      return { written, ours: this.#rewrite(each).trim() }
    })
    this.#depth--
    const sql = macroSql(name, given, (note) => this.#notes.add(note))
    if (sql === undefined) throw new Untranslatable(`$${name} is not known here`)
    return { texts: [sql], next: found.next }
  }
}

/** Whether the mention is a part of a word or of a name with dots: no value can stand there. */
function isJoined(tokens: readonly Token[], at: number): boolean {
  const [before, after] = [tokens[at - 1], tokens[at + 1]]
  const isPart = (token: Token | undefined) => token?.kind === 'word' || token?.kind === 'name' || isMark(token, '.')
  if (isPart(before) || isPart(after) || before?.kind === 'number' || before?.kind === 'mention') return true
  const last = tokens[lastBefore(tokens, at)]
  return isWord(last, 'from', 'join', 'by') || isMark(tokens[nextAt(tokens, at + 1)], '(')
}

/** Whether the bracket or comma belongs to a list behind IN. */
function isInList(tokens: readonly Token[], at: number): boolean {
  const open = isMark(tokens[at], '(') ? at : openBefore(tokens, at)
  return isWord(tokens[lastBefore(tokens, open)], 'in')
}

/** Whether the AND is that of `BETWEEN a AND b`. */
function isInBetween(tokens: readonly Token[], at: number): boolean {
  const first = lastBefore(tokens, at)
  return isWord(tokens[lastBefore(tokens, first)], 'between')
}

function argumentsFrom(tokens: readonly Token[], open: number): { given: Token[][]; next: number } {
  const given: Token[][] = [[]]
  let depth = 0
  for (let at = open; at < tokens.length; at++) {
    const token = tokens[at] as Token
    if (isMark(token, ')') && --depth === 0) {
      const isEmpty = given.length === 1 && (given[0] as Token[]).every(({ kind }) => kind === 'space')
      return { given: isEmpty ? [] : given, next: at + 1 }
    }
    if (isMark(token, ',') && depth === 1) given.push([])
    else if (depth > 0) (given.at(-1) as Token[]).push(token)
    if (isMark(token, '(')) depth++
  }
  throw new Untranslatable('a bracket is not closed')
}

/** Takes back a word that was written last, with the blanks behind it; says whether it was that word. */
function takeBackWord(written: string[], word: string): boolean {
  let index = written.length - 1
  while (index >= 0 && (written[index] as string).trim() === '') index--
  if (written[index]?.toLowerCase() !== word) return false
  written.length = index
  return true
}
