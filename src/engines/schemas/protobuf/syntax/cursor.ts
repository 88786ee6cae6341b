import { type Effort, type FaultKind, MAX_DEPTH, type Place, SchemaFault } from '../../fault.ts'

type TokenKind = 'word' | 'integer' | 'float' | 'string' | 'symbol' | 'end'

const NUMBER = /0[xX][0-9a-fA-F]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y
const INTEGER = /^(?:0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*)$/

/** Reads a text token by token. `kind`, `text` and `at` describe the current token. */
export class Cursor {
  readonly source: SourceText
  readonly effort: Effort
  kind: TokenKind = 'end'
  /** The current token. Strings have neither quotes nor escapes: they are bytes, one character for each. */
  text = ''
  at = 0
  #end = 0
  #depth = 0

  constructor(source: SourceText, effort: Effort) {
    this.source = source
    this.effort = effort
    this.next()
  }

  next(): void {
    const text = this.source.text
    const start = this.#skipSpace()
    this.at = start
    const code = text.charCodeAt(start)
    if (isLetter(code)) {
      let end = start + 1
      while (isNamePart(text.charCodeAt(end))) end++
      this.#set('word', text.slice(start, end), end)
    } else if (isDigit(code) || (code === 46 && isDigit(text.charCodeAt(start + 1)))) this.#number(start)
    else if (code === 34 || code === 39) this.#string(start)
    else if (start < text.length) {
      const symbol = String.fromCodePoint(text.codePointAt(start) as number)
      this.#set('symbol', symbol, start + symbol.length)
    } else this.#set('end', 'the end of the text', start)
  }

  is(text: string): boolean {
    return this.text === text && this.kind !== 'string'
  }

  accept(text: string): boolean {
    const isIt = this.is(text)
    if (isIt) this.next()
    return isIt
  }

  expect(text: string, where: string): void {
    if (!this.accept(text)) this.fail(`Expected '${text}' ${where}, found ${this.found()}`)
  }

  take(kind: TokenKind, what: string): string {
    if (this.kind !== kind) this.fail(`Expected ${what}, found ${this.found()}`)
    const { text } = this
    this.next()
    return text
  }

  found(): string {
    if (this.kind === 'end') return this.text
    return this.kind === 'string' ? 'a string' : `'${this.text.slice(0, 60)}'`
  }

  fail(message: string, at: number = this.at): never {
    throw this.source.fault(message, at)
  }

  /** Runs work that parses one level deeper, and refuses too many levels. */
  nested<T>(work: () => T): T {
    if (++this.#depth > MAX_DEPTH) {
      const message = `Things are nested more than ${MAX_DEPTH} deep; nest them less`
      throw this.source.fault(message, this.at, 'too_complex')
    }
    const result = work()
    this.#depth--
    return result
  }

  #set(kind: TokenKind, text: string, end: number): void {
    this.kind = kind
    this.text = text
    this.#end = end
  }

  #skipSpace(): number {
    const { text } = this.source
    let at = this.#end
    for (;;) {
      const code = text.charCodeAt(at)
      if (isSpace(code) || (at === 0 && code === 0xfeff)) at++
      else if (code !== 47) return at
      else if (text.charCodeAt(at + 1) === 47) {
        const end = text.indexOf('\n', at)
        at = end === -1 ? text.length : end
      } else if (text.charCodeAt(at + 1) === 42) {
        const end = text.indexOf('*/', at + 2)
        if (end === -1) this.fail("This comment has no end; close it with '*/'", at)
        at = end + 2
      } else return at
    }
  }

  #number(start: number): void {
    NUMBER.lastIndex = start
    const text = NUMBER.exec(this.source.text)?.[0] ?? ''
    const end = start + text.length
    if (isNamePart(this.source.text.charCodeAt(end)))
      this.fail(`${text} runs into a name; divide them by a space`, start)
    this.#set(INTEGER.test(text) ? 'integer' : 'float', text, end)
  }

  #string(start: number): void {
    const { text } = this.source
    const mark = text.charCodeAt(start)
    let end = start + 1
    let isPlain = true
    for (let code = text.charCodeAt(end); code !== mark; code = text.charCodeAt(end)) {
      if (Number.isNaN(code) || code === 10) this.fail('This string has no end on its line; close its quotes', start)
      if (code === 92) end++
      if (code === 92 || code > 127) isPlain = false
      end++
    }
    const raw = text.slice(start + 1, end)
    const value = isPlain ? raw : bytesOfLiteral(raw)
    if (value === undefined) this.fail('This string has an escape that Protobuf does not know', start)
    this.#set('string', value, end + 1)
  }
}

const [LETTER, DIGIT, SPACE] = [1, 2, 4]

/** By character code; everything beyond ASCII is 0. */
const CLASSES = new Uint8Array(128)
for (let code = 0; code < 128; code++) {
  const character = String.fromCharCode(code)
  if (/[A-Za-z_]/.test(character)) CLASSES[code] = LETTER
  else if (/[0-9]/.test(character)) CLASSES[code] = DIGIT
  else if (/[ \t\r\n\v\f]/.test(character)) CLASSES[code] = SPACE
}

function isSpace(code: number): boolean {
  return CLASSES[code] === SPACE
}

function isDigit(code: number): boolean {
  return CLASSES[code] === DIGIT
}

function isLetter(code: number): boolean {
  return CLASSES[code] === LETTER
}

function isNamePart(code: number): boolean {
  return ((CLASSES[code] ?? 0) & (LETTER | DIGIT)) !== 0
}

const SIMPLE: ReadonlyMap<string, number> = new Map(
  Object.entries({ a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, '\\': 92, "'": 39, '"': 34, '?': 63 })
)
const ESCAPE = /\\(?:[xX]([0-9a-fA-F]{1,2})|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/gs

/**
 * What stands between the quotes as bytes, one character for each: escapes may make bytes that are no text. Undefined
 * where an escape is wrong.
 */
export function bytesOfLiteral(raw: string): string | undefined {
  const parts: string[] = []
  let after = 0
  for (const match of raw.matchAll(ESCAPE)) {
    const bytes = bytesOfEscape(match)
    if (bytes === undefined) return undefined
    parts.push(bytesOfText(raw.slice(after, match.index)), bytes)
    after = match.index + match[0].length
  }
  return parts.join('') + bytesOfText(raw.slice(after))
}

function bytesOfEscape([, hex, octal, short, long, other]: RegExpExecArray): string | undefined {
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
  if (other !== undefined) {
    const code = SIMPLE.get(other)
    return code === undefined ? undefined : String.fromCharCode(code)
  }
  const point = Number.parseInt(short ?? long ?? '', 16)
  return point > 0x10ffff ? undefined : bytesOfText(String.fromCodePoint(point))
}

export function bytesOfText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** The text that bytes are; what is no text shows as the replacement character. */
export function textOfBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Bytes as they stand in a `.proto` text, always spelt the same way. */
export function quote(bytes: string): string {
  const escaped = bytes.replace(/[^ !#-[\]-~]/g, (character) => {
    const code = character.charCodeAt(0)
    if (code === 34 || code === 92) return `\\${character}`
    return code === 10 ? '\\n' : `\\${code.toString(8).padStart(3, '0')}`
  })
  return `"${escaped}"`
}

/** A text with the name it is imported by, so that faults can say where they are. */
export class SourceText {
  readonly text: string
  /** Undefined for the schema itself. */
  readonly dependency: string | undefined

  constructor(text: string, dependency?: string) {
    this.text = text
    this.dependency = dependency
  }

  place(offset: number): Place {
    // What was made from a descriptor has no lines.
    if (offset < 0) return { dependency: this.dependency }
    let line = 1
    let lineStart = 0
    for (let next = this.text.indexOf('\n'); next !== -1 && next < offset; next = this.text.indexOf('\n', next + 1)) {
      line++
      lineStart = next + 1
    }
    return { line, column: offset - lineStart + 1, dependency: this.dependency }
  }

  fault(message: string, offset: number, kind: FaultKind = 'invalid'): SchemaFault {
    return new SchemaFault(kind, message, this.place(offset))
  }
}
