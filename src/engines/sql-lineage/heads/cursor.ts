import { GivenUp } from '../effort.ts'
import { type Token, tokensOf } from './tokens.ts'

/** Goes through the words of a statement. What it does not find where it must be, it gives up at. */
export class Cursor {
  readonly sql: string
  readonly #tokens: readonly Token[]
  #at = 0

  constructor(sql: string) {
    this.sql = sql
    const tokens = tokensOf(sql)
    while (tokens.at(-1)?.value === ';' && tokens.at(-1)?.kind === 'sign') tokens.pop()
    if (tokens.some(({ kind, value, depth }) => kind === 'sign' && value === ';' && depth === 0)) {
      throw new GivenUp('The SQL is not exactly one statement.')
    }
    this.#tokens = tokens
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  isNext(...words: readonly string[]): boolean {
    return words.every((word, place) => is(this.#tokens[this.#at + place], word))
  }

  /** Goes past these words, where they come next. */
  takes(...words: readonly string[]): boolean {
    const isThere = this.isNext(...words)
    if (isThere) this.#at += words.length
    return isThere
  }

  expect(...words: readonly string[]): void {
    if (!this.takes(...words)) throw this.givenUp()
  }

  givenUp(): GivenUp {
    const token = this.#tokens[this.#at]
    const near = token === undefined ? 'its end' : `“${this.sql.slice(token.start, token.start + 30)}”`
    return new GivenUp(`The statement, from ${near} on.`)
  }

  /** A name, with what qualifies it. */
  path(): string[] {
    const path = [this.name()]
    while (this.takes('.')) path.push(this.name())
    return path
  }

  name(): string {
    const token = this.#tokens[this.#at]
    if (token === undefined || (token.kind !== 'word' && token.kind !== 'name')) throw this.givenUp()
    this.#at++
    return token.kind === 'name' ? token.value : this.sql.slice(token.start, token.end)
  }

  /** `AS name` or `name`, where the next word is none of these. */
  alias(...keywords: readonly string[]): string | null {
    if (this.takes('AS')) return this.name()
    const token = this.#tokens[this.#at]
    const isName = token?.kind === 'name' || (token?.kind === 'word' && !keywords.includes(token.value))
    return isName ? this.name() : null
  }

  /** The text up to one of these words, or the end; not counting those in brackets that begin in it. */
  until(...ends: readonly (readonly string[])[]): string {
    const first = this.#tokens[this.#at]
    const depth = first?.depth ?? 0
    const from = first?.start ?? this.sql.length
    for (; !this.isAtEnd; this.#at++) {
      const token = this.#tokens[this.#at] as Token
      // `IS DISTINCT FROM` is a comparison.
      const isComparison = is(token, 'FROM') && is(this.#tokens[this.#at - 1], 'DISTINCT')
      if (token.depth > depth || isComparison || (token.depth === depth && is(token, ')'))) continue
      if (ends.some((words) => this.isNext(...words))) break
    }
    return this.sql.slice(from, this.#tokens[this.#at - 1]?.end ?? from)
  }

  /** The texts between the commas of a list in brackets. */
  list(): string[] {
    this.expect('(')
    const list: string[] = []
    do list.push(this.until([','], [')']))
    while (this.takes(','))
    this.expect(')')
    return list
  }

  end(): void {
    if (!this.isAtEnd) throw this.givenUp()
  }
}

const is = (token: Token | undefined, word: string): boolean =>
  token !== undefined && token.value === word && (token.kind === 'word' || token.kind === 'sign')

export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
