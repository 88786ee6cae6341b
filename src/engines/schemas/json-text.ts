import { type Effort, SchemaFault } from './fault.ts'

/** As it was read: objects are maps, so that no name in them means anything, and long integers keep their digits. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject
export type JsonObject = ReadonlyMap<string, Json>

/** The deepest nesting of JSON. A type within a type takes up to four levels. */
const MAX_NESTING = 800
/** Longer integers are no values of any type. */
const MAX_EXACT_DIGITS = 40
const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const HEX = /^[0-9a-fA-F]{4}$/
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t']
])

/** Reads JSON by hand: it says where an error is, and keeps all digits of integers. */
export function readJson(text: string, effort: Effort, dependency?: string): Json {
  return new JsonReader(text, effort, dependency).read()
}

class JsonReader {
  readonly #text: string
  readonly #effort: Effort
  readonly #dependency: string | undefined
  #at = 0

  constructor(text: string, effort: Effort, dependency: string | undefined) {
    this.#text = text
    this.#effort = effort
    this.#dependency = dependency
  }

  read(): Json {
    if (this.#text.charCodeAt(0) === 0xfeff) this.#at = 1
    const value = this.#value(0)
    if (this.#next() !== '') throw this.#fault(`Nothing may follow the schema, but there is ${this.#found()}`)
    return value
  }

  #value(depth: number): Json {
    this.#effort.spend()
    if (depth > MAX_NESTING) {
      throw new SchemaFault('too_complex', 'The schema is nested too deep; name inner types and refer to them', {
        ...this.#place()
      })
    }
    switch (this.#next()) {
      case '{':
        return this.#object(depth)
      case '[':
        return this.#array(depth)
      case '"':
        return this.#string()
      case 't':
        return this.#word('true', true)
      case 'f':
        return this.#word('false', false)
      case 'n':
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  #object(depth: number): Json {
    const object = new Map<string, Json>()
    this.#at++
    if (this.#next() === '}') {
      this.#at++
      return object
    }
    for (;;) {
      if (this.#next() !== '"') throw this.#fault(`A key in double quotes is missing; there is ${this.#found()}`)
      const key = this.#string()
      if (this.#next() !== ':') throw this.#fault(`A colon is missing after the key; there is ${this.#found()}`)
      this.#at++
      object.set(key, this.#value(depth + 1))
      if (this.#endsAfter('}', 'object')) return object
    }
  }

  #array(depth: number): Json {
    const array: Json[] = []
    this.#at++
    if (this.#next() === ']') {
      this.#at++
      return array
    }
    for (;;) {
      array.push(this.#value(depth + 1))
      if (this.#endsAfter(']', 'array')) return array
    }
  }

  #endsAfter(end: string, what: string): boolean {
    const next = this.#next()
    if (next !== end && next !== ',') {
      throw this.#fault(`A comma or the ${end} that ends the ${what} is missing; there is ${this.#found()}`)
    }
    this.#at++
    return next === end
  }

  #string(): string {
    const text = this.#text
    let read = ''
    let from = ++this.#at
    for (; ; this.#at++) {
      const code = text.charCodeAt(this.#at)
      if (code === 0x22) return read + text.slice(from, this.#at++)
      if (code === 0x5c) {
        read += text.slice(from, this.#at) + this.#escape()
        from = this.#at + 1
      } else if (Number.isNaN(code)) throw this.#fault('The double quote that ends a string is missing')
      else if (code < 0x20)
        throw this.#fault('Strings must not hold line ends or other control characters; escape them')
    }
  }

  /** Leaves the position at the last character of the escape. */
  #escape(): string {
    const letter = this.#text.charAt(++this.#at)
    if (letter === 'u') {
      const digits = this.#text.slice(this.#at + 1, this.#at + 5)
      if (!HEX.test(digits)) throw this.#fault('Four hexadecimal digits must follow \\u')
      this.#at += 4
      return String.fromCharCode(Number.parseInt(digits, 16))
    }
    const escaped = ESCAPES.get(letter)
    if (escaped === undefined) throw this.#fault(`There is no escape \\${letter} in JSON`)
    return escaped
  }

  #number(): number | bigint {
    NUMBER.lastIndex = this.#at
    const [digits] = NUMBER.exec(this.#text) ?? []
    if (digits === undefined) throw this.#fault(`A value is missing; there is ${this.#found()}`)
    const value = Number(digits)
    if (!Number.isFinite(value)) throw this.#fault('The number is too large')
    this.#at += digits.length
    const isExact = Number.isSafeInteger(value) || /[.eE]/.test(digits) || digits.length > MAX_EXACT_DIGITS
    return isExact ? value : BigInt(digits)
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) throw this.#fault(`A value is missing; there is ${this.#found()}`)
    this.#at += word.length
    return value
  }

  /** The next character that is no white space; empty at the end. */
  #next(): string {
    for (; ; this.#at++) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return this.#text.charAt(this.#at)
    }
  }

  #found(): string {
    const [found] = this.#text.slice(this.#at, this.#at + 2)
    return found === undefined ? 'the end of the text' : JSON.stringify(found)
  }

  #fault(what: string): SchemaFault {
    return new SchemaFault('invalid', `The schema is no JSON: ${what}`, this.#place())
  }

  #place() {
    const before = this.#text.slice(0, this.#at)
    const line = before.split('\n').length
    return { line, column: this.#at - before.lastIndexOf('\n'), dependency: this.#dependency }
  }
}
