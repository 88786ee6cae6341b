import { MAX_NAME_BYTES, MAX_TEXT_CHARS } from './limits.ts'
import { parseTime } from './times.ts'

/** Keys are as long as a producer wants them. */
const MAX_SHOWN_KEY_CHARS = 200

/** What is wrong with an event, and where. */
export class EventProblem extends Error {
  readonly pointer: string
  readonly reason: string

  constructor(pointer: string, reason: string) {
    super(`${pointer === '' ? 'The event' : pointer} ${reason}`)
    this.pointer = pointer
    this.reason = reason
  }
}

/** A value of an event, and where it stands. What does not fit is thrown as an `EventProblem`. */
export class Field {
  readonly value: unknown
  readonly #within: Field | undefined
  readonly #key: string | number

  constructor(value: unknown, within?: Field, key: string | number = '') {
    this.value = value
    this.#within = within
    this.#key = key
  }

  /** Null is what many languages write for nothing. */
  get isThere(): boolean {
    return this.value !== undefined && this.value !== null
  }

  get pointer(): string {
    if (this.#within === undefined) return ''
    const key = String(this.#key)
    const shown = key.length > MAX_SHOWN_KEY_CHARS ? `${key.slice(0, MAX_SHOWN_KEY_CHARS)}…` : key
    return `${this.#within.pointer}/${shown.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`
  }

  fail(reason: string): never {
    throw new EventProblem(this.pointer, reason)
  }

  /** A property of an object; one that is not there where the object is not there. */
  at(key: string): Field {
    if (!this.isThere) return new Field(undefined, this, key)
    const object = this.#object()
    return new Field(Object.hasOwn(object, key) ? object[key] : undefined, this, key)
  }

  /** The same, where the standard requires it. */
  required(key: string): Field {
    if (!this.isThere) this.fail('is missing')
    const field = this.at(key)
    if (!field.isThere) field.fail('is missing')
    return field
  }

  /** In the same place, and not there. */
  nothing(): Field {
    return new Field(undefined, this.#within, this.#key)
  }

  values(): Field[] {
    if (!this.isThere) return []
    return Object.entries(this.#object()).map(([key, value]) => new Field(value, this, key))
  }

  items(): Field[] {
    if (!this.isThere) return []
    if (!Array.isArray(this.value)) this.fail('must be an array')
    return this.value.map((item: unknown, index) => new Field(item, this, index))
  }

  /** The key of this field as text, standing where the field stands. */
  key(): Field {
    return new Field(String(this.#key), this.#within, this.#key)
  }

  /** Text that names something: kept as it is, so it has to be fit for that. */
  name(): string {
    const text = this.#text()
    if (text === '') this.fail('must not be empty')
    if (Buffer.byteLength(text) > MAX_NAME_BYTES) this.fail(`must have at most ${MAX_NAME_BYTES} bytes in UTF-8`)
    if (!text.isWellFormed() || text.includes('\0'))
      this.fail('must be well-formed Unicode without the character U+0000')
    return text
  }

  /** Text for people, cut where it is too long; undefined where there is none. */
  prose(maxChars = MAX_TEXT_CHARS): string | undefined {
    if (!this.isThere) return undefined
    const text = this.#text().slice(0, maxChars).toWellFormed().replaceAll('\0', '')
    return text.trim() === '' ? undefined : text
  }

  timeMs(): number {
    const ms = parseTime(this.#text())
    return ms ?? this.fail('must be a time such as 2026-11-17T04:00:00.000Z, from 1970 to 9999')
  }

  isTrue(): boolean {
    if (this.isThere && typeof this.value !== 'boolean') this.fail('must be true or false')
    return this.value === true
  }

  #text(): string {
    if (typeof this.value !== 'string') this.fail(this.isThere ? 'must be text' : 'is missing')
    return this.value
  }

  #object(): Record<string, unknown> {
    const { value } = this
    if (typeof value !== 'object' || value === null || Array.isArray(value)) this.fail('must be an object')
    return value as Record<string, unknown>
  }
}

/** Counts what an event holds of a kind, all over it. */
export class Quota {
  readonly #what: string
  readonly #most: number
  #count = 0

  constructor(most: number, what: string) {
    this.#most = most
    this.#what = what
  }

  take(field: Field): void {
    this.#count += 1
    if (this.#count > this.#most) field.fail(`is one too many: an event has at most ${this.#most} ${this.#what}`)
  }
}
