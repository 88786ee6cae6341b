import type { Asked } from './query.ts'
import type { Condition } from './tags.ts'

type Result<T> = T | { problem: string }

const TOKEN =
  /\s+|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\/(?:[^/\\\n]|\\.)+\/|=~|!~|!=|<>|<=|>=|\$\{\w{1,64}(?::\w{1,20})?\}|\d+\.\d+|[$\w:]+|./gsy
const MAX_CHARS = 20_000

/**
 * What `SELECT mean("value") FROM "m" WHERE "host" = 'a' AND $timeFilter GROUP BY time($__interval), "host" fill(null)` asks.
 * Anything that goes beyond this form is not understood.
 */
export function writtenQuery(text: string): Result<Asked> {
  if (text.length > MAX_CHARS) return { problem: `its query is longer than ${MAX_CHARS} characters` }
  const tokens = (text.match(TOKEN) ?? []).filter((token) => token.trim() !== '')
  const reader = new Reader(tokens)
  try {
    return reader.read()
  } catch (error) {
    if (error instanceof Unread) return { problem: `its query is not understood near ${error.message || 'its end'}` }
    throw error
  }
}

class Unread extends Error {}

class Reader {
  readonly #tokens: readonly string[]
  #at = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  read(): Asked {
    this.#word('select')
    const fields = [this.#field()]
    while (this.#maybe(',')) fields.push(this.#field())
    this.#word('from')
    const measurement = this.#measurement()
    const conditions = this.#maybe('where') ? this.#conditions() : []
    const groups = this.#maybe('group') ? this.#groups() : { width: '', groupTags: [] }
    let fill = ''
    if (this.#maybe('fill')) {
      this.#word('(')
      fill = this.#next()
      this.#word(')')
    }
    if (this.#at < this.#tokens.length) throw new Unread(this.#tokens[this.#at])
    return { measurement, fields, conditions, ...groups, fill }
  }

  /** `mean("value") AS "x"`. */
  #field(): Asked['fields'][number] {
    const first = this.#next()
    let field = { name: unquoted(first), functions: [] as { name: string; parameter: string }[] }
    if (this.#maybe('(')) {
      const name = unquoted(this.#next())
      const parameter = this.#maybe(',') ? this.#next() : ''
      this.#word(')')
      field = { name, functions: [{ name: first.toLowerCase(), parameter }] }
    }
    if (this.#maybe('as')) this.#next()
    return field
  }

  /** `"policy"."measurement"`, of which only the last counts here. */
  #measurement(): string {
    let name = unquoted(this.#next())
    while (this.#maybe('.')) name = unquoted(this.#next())
    return name
  }

  #conditions(): Condition[] {
    const conditions: Condition[] = []
    do {
      const bracketed = this.#maybe('(')
      if (!this.#maybe('$timefilter')) conditions.push(this.#condition())
      if (bracketed) this.#word(')')
    } while (this.#maybe('and'))
    return conditions
  }

  #condition(): Condition {
    const key = unquoted(this.#next()).replace(/::tag$/, '')
    const operator = this.#next()
    const value = this.#next()
    if (!/^(?:=~?|!~|!=|<>)$/.test(operator) || key === 'time') throw new Unread(`${key} ${operator}`)
    return { key, operator, value: operator.endsWith('~') ? value : unquoted(value), isOr: false }
  }

  #groups(): { width: string; groupTags: string[] } {
    this.#word('by')
    const groupTags: string[] = []
    let width = ''
    do {
      if (this.#maybe('time')) {
        this.#word('(')
        width = this.#next()
        this.#word(')')
      } else groupTags.push(unquoted(this.#next()))
    } while (this.#maybe(','))
    return { width, groupTags }
  }

  #next(): string {
    const token = this.#tokens[this.#at++]
    if (token === undefined) throw new Unread('')
    return token
  }

  #maybe(word: string): boolean {
    const isNext = this.#tokens[this.#at]?.toLowerCase() === word
    if (isNext) this.#at++
    return isNext
  }

  #word(word: string): void {
    if (!this.#maybe(word)) throw new Unread(this.#tokens[this.#at] ?? '')
  }
}

function unquoted(token: string): string {
  return /^["']/.test(token) ? token.slice(1, -1).replaceAll(/\\(.)/g, '$1') : token
}
