import { BACKSLASH, COMMA, endsLine, QUOTE, SPACE } from './bytes.ts'
import { nextSpecial } from './escapes.ts'
import { LineRefusal } from './line-refusal.ts'
import { type PlainValue, VALUE_READ, VALUE_TOO_LARGE } from './plain-value.ts'
import { notText } from './series-key.ts'
import { decoded } from './text.ts'
import { FLOAT, STRING, type TypeCode } from './type-codes.ts'

export const MAX_TEXT_BYTES = 64 * 1024

const NO_VALUE = 'the value is neither a number nor true, false or a text in double quotes'
const NOT_FINITE = /^[+-]?(nan|inf|infinity)\r?$/i

/** Reads any value of a field. Holds the value read last. */
export class FieldValue {
  end = 0
  type: TypeCode = FLOAT
  value = 0
  exact: string | bigint | undefined
  readonly #plain: PlainValue

  constructor(plain: PlainValue) {
    this.#plain = plain
  }

  read(bytes: Buffer, start: number): LineRefusal | undefined {
    const refusal = bytes[start] === QUOTE ? this.#text(bytes, start) : this.#word(bytes, start)
    if (refusal !== undefined) return refusal
    const after = bytes[this.end]
    if (after === COMMA || after === SPACE || endsLine(bytes, this.end)) return undefined
    const end = nextSpecial(bytes, this.end)
    const reason = this.type === STRING ? 'after a closing quote a comma or space must follow' : NO_VALUE
    return new LineRefusal('invalid_field', reason, this.type === STRING ? this.end : start, end, 'shows')
  }

  #word(bytes: Buffer, start: number): LineRefusal | undefined {
    const plain = this.#plain
    const status = plain.read(bytes, start)
    if (status === VALUE_READ) {
      this.end = plain.end
      this.type = plain.type
      this.value = plain.value
      this.exact = plain.exact
      return undefined
    }
    const end = nextSpecial(bytes, start)
    if (status === VALUE_TOO_LARGE) {
      const reason = `the number is out of the range of ${plain.type === FLOAT ? 'a double' : '64 bits'}`
      return new LineRefusal('value_out_of_range', reason, start, end, 'shows')
    }
    const isMissing = end === start || endsLine(bytes, start)
    if (isMissing) return new LineRefusal('invalid_field', 'the value of the field is missing', start)
    const reason = NOT_FINITE.test(bytes.toString('latin1', start, Math.min(end, start + 16)))
      ? 'a value that is no finite number cannot be kept, leave the field out'
      : NO_VALUE
    return new LineRefusal('invalid_field', reason, start, end, 'shows')
  }

  #text(bytes: Buffer, quote: number): LineRefusal | undefined {
    let at = quote + 1
    let escapes = 0
    let isAscii = true
    for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[++at]) {
      if (byte === undefined) return unclosed(bytes, quote)
      if (byte === 0 || byte > 127) isAscii = false
      if (byte === BACKSLASH && (bytes[at + 1] === QUOTE || bytes[at + 1] === BACKSLASH)) {
        escapes++
        at++
      }
    }
    const sizeBytes = at - quote - 1 - escapes
    if (sizeBytes > MAX_TEXT_BYTES) {
      return new LineRefusal('value_too_long', `a text may have ${MAX_TEXT_BYTES} bytes, not ${sizeBytes}`, quote, at)
    }
    const raw = isAscii ? bytes.toString('latin1', quote + 1, at) : decoded(bytes.subarray(quote + 1, at))
    if (raw === undefined) return notText('the text', quote, at)
    this.end = at + 1
    this.type = STRING
    this.value = Number.NaN
    this.exact = escapes === 0 ? raw : raw.replaceAll(/\\(["\\])/g, '$1')
    return undefined
  }
}

/** A text without a closing quote: nobody can tell where it should have ended, so the rest of the body is refused. */
function unclosed(bytes: Buffer, quote: number): LineRefusal {
  return new LineRefusal(
    'invalid_field',
    'the text has no closing quote, so nothing after it is read',
    quote,
    bytes.length
  )
}
