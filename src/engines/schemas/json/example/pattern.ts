import { between, type Random } from '../../../seeded-random.ts'

/** Ranges of code points, both ends included. */
type CharSet = readonly (readonly [from: number, to: number])[]

const PRINTABLE: CharSet = [[0x20, 0x7e]]
const DIGITS: CharSet = [[0x30, 0x39]]
const SPACES: CharSet = [[0x20, 0x20]]
const UPPER: CharSet = [[0x41, 0x5a]]
const LOWER: CharSet = [[0x61, 0x7a]]
const WORD: CharSet = [...LOWER, ...UPPER, ...DIGITS, [0x5f, 0x5f]]
/** What is printed, and Latin letters for sets that leave all of ASCII out. */
const EVERYDAY: CharSet = [...PRINTABLE, [0xc0, 0x17f]]

const PROPERTIES: ReadonlyMap<string, CharSet> = new Map([
  ['L', [...LOWER, ...UPPER]],
  ['Letter', [...LOWER, ...UPPER]],
  ['Alphabetic', [...LOWER, ...UPPER]],
  ['Lu', UPPER],
  ['Uppercase_Letter', UPPER],
  ['Ll', LOWER],
  ['Lowercase_Letter', LOWER],
  ['N', DIGITS],
  ['Number', DIGITS],
  ['Nd', DIGITS],
  ['P', [[0x2c, 0x2e]]],
  ['Punctuation', [[0x2c, 0x2e]]],
  ['Zs', SPACES],
  ['Script=Latin', [...LOWER, ...UPPER]]
])

/** Some of what has a property of Unicode. */
function classOf(property: string): CharSet | undefined {
  return PROPERTIES.get(property)
}

/** Everyday characters that are not in the set. */
function complement(set: CharSet): CharSet {
  let left: (readonly [number, number])[] = [...EVERYDAY]
  for (const [from, to] of set) {
    left = left.flatMap(([low, high]): [number, number][] => {
      const below: [number, number] = [low, Math.min(high, from - 1)]
      const above: [number, number] = [Math.max(low, to + 1), high]
      return [below, above].filter(([start, end]) => start <= end)
    })
  }
  return left
}

/** A character of the set, if possible one that people type; undefined where the set is empty. */
function charOf(set: CharSet, random: Random): string | undefined {
  const typed = set.map(([from, to]) => [Math.max(from, 0x20), Math.min(to, 0x7e)] as const)
  const ranges = typed.some(([from, to]) => from <= to) ? typed.filter(([from, to]) => from <= to) : set
  const range = ranges[Math.floor(random() * ranges.length)]
  if (range === undefined) return undefined
  const [from, to] = range
  return String.fromCodePoint(from + Math.floor(random() * (to - from + 1)))
}

/** The common ground of regular expressions, as something to make texts of. */
type Pattern =
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
    // References to groups, and control characters.
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

const MAX_CHARS = 10_000

/** A text of the pattern, with up to `extra` repetitions more than needed; undefined where there is none, or only long ones. */
export function textMatching(pattern: Pattern, random: Random, extra: number): string | undefined {
  const chars: string[] = []
  return write(pattern, random, extra, chars) ? chars.join('') : undefined
}

function write(pattern: Pattern, random: Random, extra: number, chars: string[]): boolean {
  if (chars.length > MAX_CHARS) return false
  switch (pattern.kind) {
    case 'chars': {
      const char = charOf(pattern.set, random)
      if (char !== undefined) chars.push(char)
      return char !== undefined
    }
    case 'sequence':
      return pattern.parts.every((part) => write(part, random, extra, chars))
    case 'choice':
      return write(pattern.options[between(random, 0, pattern.options.length - 1)] as Pattern, random, extra, chars)
    case 'repeat': {
      const times = between(
        random,
        pattern.least,
        Math.max(pattern.least, Math.min(pattern.most, pattern.least + extra))
      )
      // A part without any text could be repeated for ever.
      for (let time = 0; time < Math.min(times, MAX_CHARS); time++) {
        if (!write(pattern.part, random, extra, chars)) return false
      }
      return true
    }
  }
}
