import { type CharSet, classOf, complement, DIGITS, PRINTABLE, SPACES, WORD } from './char-sets.ts'

/** The common ground of regular expressions, as something to make texts of. */
export type Pattern =
  | { readonly kind: 'chars'; readonly set: CharSet }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly options: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly part: Pattern; readonly least: number; readonly most: number }

const MAX_GROUPS_DEEP = 50
const NOTHING: Pattern = { kind: 'sequence', parts: [] }
const ESCAPES: ReadonlyMap<string, CharSet> = new Map([
  ['d', DIGITS],
  ['D', complement(DIGITS)],
  ['w', WORD],
  ['W', complement(WORD)],
  ['s', SPACES],
  ['S', complement(SPACES)]
])
const CONTROLS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['f', '\f'],
  ['v', '\v'],
  ['0', '\0']
])

class Unreadable extends Error {}

/**
 * Undefined where there is something in it that can't be made at will. What is only looked for (`(?=…)`, `\b`) is passed
 * over: texts have to be checked anyway.
 */
export function readPattern(text: string): Pattern | undefined {
  try {
    const reader = new Reader(text)
    const pattern = reader.choice(0)
    return reader.isAtEnd ? pattern : undefined
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

class Reader {
  readonly #chars: readonly string[]
  #at = 0

  constructor(text: string) {
    this.#chars = [...text]
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#chars.length
  }

  choice(depth: number): Pattern {
    if (depth > MAX_GROUPS_DEEP) throw new Unreadable()
    const options = [this.#sequence(depth)]
    while (this.#take('|')) options.push(this.#sequence(depth))
    return options.length === 1 ? (options[0] as Pattern) : { kind: 'choice', options }
  }

  #sequence(depth: number): Pattern {
    const parts: Pattern[] = []
    while (!this.isAtEnd && this.#chars[this.#at] !== '|' && this.#chars[this.#at] !== ')') {
      const part = this.#atom(depth)
      parts.push(this.#repeated(part))
    }
    return { kind: 'sequence', parts }
  }

  #repeated(part: Pattern): Pattern {
    const range = this.#quantifier()
    if (range === undefined) return part
    this.#take('?')
    return { kind: 'repeat', part, least: range[0], most: range[1] }
  }

  #quantifier(): [least: number, most: number] | undefined {
    if (this.#take('?')) return [0, 1]
    if (this.#take('*')) return [0, Infinity]
    if (this.#take('+')) return [1, Infinity]
    const found = /^\{(\d{1,6})(,(\d{1,6})?)?\}/.exec(this.#chars.slice(this.#at, this.#at + 16).join(''))
    if (found === null) return undefined
    this.#at += found[0].length
    const least = Number(found[1])
    return [least, found[2] === undefined ? least : found[3] === undefined ? Infinity : Number(found[3])]
  }

  #atom(depth: number): Pattern {
    const char = this.#next()
    if (char === '^' || char === '$') return NOTHING
    if (char === '.') return { kind: 'chars', set: PRINTABLE }
    if (char === '(') return this.#group(depth)
    if (char === '[') return { kind: 'chars', set: this.#class() }
    if (char !== '\\') return literal(char)
    if (this.#take('b') || this.#take('B')) return NOTHING
    return { kind: 'chars', set: this.#escape() }
  }

  #group(depth: number): Pattern {
    const isLookedFor = ['?=', '?!', '?<=', '?<!'].some((mark) => this.#takeAll(mark))
    if (!isLookedFor && !this.#takeAll('?:') && this.#takeAll('?<')) while (this.#next() !== '>');
    const inner = this.choice(depth + 1)
    if (!this.#take(')')) throw new Unreadable()
    return isLookedFor ? NOTHING : inner
  }

  #class(): CharSet {
    const isNegated = this.#take('^')
    const set: (readonly [number, number])[] = []
    while (!this.#take(']')) {
      const from = this.#classMember()
      const to = this.#chars[this.#at] === '-' && this.#chars[this.#at + 1] !== ']' ? this.#rangeEnd() : undefined
      const [start, end] = [from[0], to?.at(-1)]
      if (to === undefined || start === undefined || end === undefined) set.push(...from)
      else set.push([start[0], end[1]])
    }
    return isNegated ? complement(set) : set
  }

  #rangeEnd(): (readonly [number, number])[] {
    this.#at++
    return this.#classMember()
  }

  #classMember(): (readonly [number, number])[] {
    const char = this.#next()
    if (char === '\\' && this.#take('b')) return [[8, 8]]
    return [...(char === '\\' ? this.#escape() : one(char))]
  }

  #escape(): CharSet {
    const char = this.#next()
    const known = ESCAPES.get(char)
    if (known !== undefined) return known
    const control = CONTROLS.get(char)
    if (control !== undefined) return one(control)
    if (char === 'p' || char === 'P') return this.#property(char === 'P')
    const rest = this.#chars.slice(this.#at, this.#at + 10).join('')
    const code =
      char === 'x' ? /^[0-9a-f]{2}/i.exec(rest) : char === 'u' ? /^(?:[0-9a-f]{4}|\{[0-9a-f]{1,6}\})/i.exec(rest) : null
    if (code !== null) {
      this.#at += code[0].length
      return one(String.fromCodePoint(Math.min(Number.parseInt(code[0].replace('{', ''), 16), 0x10ffff)))
    }
    // What was matched before, and control letters.
    if (/[1-9ckux]/.test(char)) throw new Unreadable()
    return one(char)
  }

  #property(isNegated: boolean): CharSet {
    const found = /^\{([^}]{1,40})\}/.exec(this.#chars.slice(this.#at, this.#at + 42).join(''))
    const set = classOf(found?.[1] ?? '')
    if (found === null || set === undefined) throw new Unreadable()
    this.#at += found[0].length
    return isNegated ? complement(set) : set
  }

  #next(): string {
    const char = this.#chars[this.#at++]
    if (char === undefined) throw new Unreadable()
    return char
  }

  #take(char: string): boolean {
    if (this.#chars[this.#at] !== char) return false
    this.#at++
    return true
  }

  #takeAll(text: string): boolean {
    if (this.#chars.slice(this.#at, this.#at + text.length).join('') !== text) return false
    this.#at += text.length
    return true
  }
}

function literal(char: string): Pattern {
  return { kind: 'chars', set: one(char) }
}

function one(char: string): CharSet {
  const code = char.codePointAt(0) ?? 0
  return [[code, code]]
}
