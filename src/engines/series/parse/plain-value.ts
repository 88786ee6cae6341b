import { DOT, MINUS, NINE, ZERO } from './bytes.ts'
import { BOOLEAN, FLOAT, INTEGER, type TypeCode, UNSIGNED } from './type-codes.ts'

export const VALUE_READ = 0
export const NO_PLAIN_VALUE = 1
export const VALUE_TOO_LARGE = 2

const LETTER_E = 101
const LETTER_I = 105
const LETTER_T = 116
const LETTER_U = 117
const PLUS = 43

const MIN_INTEGER = -(2n ** 63n)
const MAX_INTEGER = 2n ** 63n - 1n
const MAX_UNSIGNED = 2n ** 64n - 1n

/** Larger than any 64-bit number, but still quick to turn into a bigint. */
const BEYOND_64_BITS = 1e20

/** As many digits as always fit 32 bits. */
const SMALL_DIGITS = 9

/** Below this every whole number is exact, and no rounded sum is below it. */
const EXACT_BELOW = 2 ** 53

/** The powers of ten that are exact. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))

/** The spellings of true and false, by their first byte, the longest first. */
const WORDS: ReadonlyMap<number, readonly Buffer[]> = new Map(
  [
    ['true', 't'],
    ['TRUE', 'True', 'T'],
    ['false', 'f'],
    ['FALSE', 'False', 'F']
  ].map((words) => [(words[0] as string).charCodeAt(0), words.map((word) => Buffer.from(word))])
)

/** Reads numbers and booleans of line protocol from the middle of a body. Holds the value read last. */
export class PlainValue {
  /** The position after the value's last byte. */
  end = 0
  type: TypeCode = FLOAT
  value = 0
  /** The exact value, where `value` is only an approximation. */
  exact: bigint | undefined

  /** Reads the longest value; the caller has to check whether it may end there. */
  read(bytes: Buffer, start: number): typeof VALUE_READ | typeof NO_PLAIN_VALUE | typeof VALUE_TOO_LARGE {
    const negative = bytes[start] === MINUS
    const first = negative ? start + 1 : start
    let at = first
    // Correct for at most nine digits: 32-bit arithmetic takes a third of the time.
    let mantissa = 0
    let byte = bytes[at] as number
    while (byte >= ZERO && byte <= NINE) {
      mantissa = (Math.imul(mantissa, 10) + (byte - ZERO)) | 0
      byte = bytes[++at] as number
    }
    if (byte === LETTER_I || byte === LETTER_U) return this.#whole(bytes, start, at, mantissa, byte === LETTER_I)
    let decimals = 0
    if (byte === DOT) {
      const point = at
      byte = bytes[++at] as number
      while (byte >= ZERO && byte <= NINE) {
        mantissa = (Math.imul(mantissa, 10) + (byte - ZERO)) | 0
        byte = bytes[++at] as number
      }
      decimals = at - point - 1
      if (at - first === 1) return NO_PLAIN_VALUE
    } else if (at === first) return this.#boolean(bytes, start)
    if (at - first > SMALL_DIGITS) mantissa = digitsOf(bytes, first, at)
    this.type = FLOAT
    this.exact = undefined
    this.end = at
    if ((byte | 32) === LETTER_E) return this.#scientific(bytes, start, mantissa, -decimals, negative)
    return this.#scaled(bytes, start, mantissa, -decimals, negative)
  }

  #boolean(bytes: Buffer, start: number) {
    const first = bytes[start] as number
    const word = WORDS.get(first)?.find((candidate) => startsWith(bytes, start, candidate))
    if (word === undefined) return NO_PLAIN_VALUE
    this.end = start + word.length
    this.type = BOOLEAN
    this.exact = undefined
    this.value = (first | 32) === LETTER_T ? 1 : 0
    return VALUE_READ
  }

  #scientific(bytes: Buffer, start: number, mantissa: number, scale: number, negative: boolean) {
    let at = this.end + 1
    const down = bytes[at] === MINUS
    if (down || bytes[at] === PLUS) at++
    const first = at
    let exponent = 0
    let byte = bytes[at] as number
    while (byte >= ZERO && byte <= NINE) {
      exponent = exponent * 10 + (byte - ZERO)
      byte = bytes[++at] as number
    }
    if (at === first) return NO_PLAIN_VALUE
    this.end = at
    return this.#scaled(bytes, start, mantissa, scale + (down ? -exponent : exponent), negative)
  }

  /** If mantissa and power are exact, one operation rounds once, as `Number` does with the text. */
  #scaled(bytes: Buffer, start: number, mantissa: number, exponent: number, negative: boolean) {
    if (mantissa < EXACT_BELOW && exponent >= -22 && exponent <= 22) {
      const size = exponent < 0 ? mantissa / (POWERS[-exponent] as number) : mantissa * (POWERS[exponent] as number)
      this.value = negative ? -size : size
      return VALUE_READ
    }
    this.value = Number(bytes.toString('latin1', start, this.end))
    return Number.isFinite(this.value) ? VALUE_READ : VALUE_TOO_LARGE
  }

  #whole(bytes: Buffer, start: number, end: number, small: number, signed: boolean) {
    const negative = bytes[start] === MINUS
    const first = negative ? start + 1 : start
    if (end === first) return NO_PLAIN_VALUE
    this.end = end + 1
    this.type = signed ? INTEGER : UNSIGNED
    this.exact = undefined
    if (negative && !signed) return VALUE_TOO_LARGE
    const mantissa = end - first > SMALL_DIGITS ? digitsOf(bytes, first, end) : small
    if (mantissa < EXACT_BELOW) {
      this.value = negative ? 0 - mantissa : mantissa
      return VALUE_READ
    }
    if (mantissa >= BEYOND_64_BITS) return VALUE_TOO_LARGE
    return this.#large(BigInt(bytes.toString('latin1', start, end)))
  }

  #large(whole: bigint) {
    if (!isInRange(whole, this.type)) return VALUE_TOO_LARGE
    this.value = Number(whole)
    this.exact = exactIfNeeded(whole)
    return VALUE_READ
  }
}

export function isInRange(whole: bigint, type: TypeCode): boolean {
  return type === UNSIGNED ? whole >= 0n && whole <= MAX_UNSIGNED : whole >= MIN_INTEGER && whole <= MAX_INTEGER
}

/** Undefined where a double holds the number exactly and is written with the same digits. */
export function exactIfNeeded(whole: bigint): bigint | undefined {
  return Number.isSafeInteger(Number(whole)) ? undefined : whole
}

function startsWith(bytes: Buffer, start: number, word: Buffer): boolean {
  for (let at = 0; at < word.length; at++) if (bytes[start + at] !== word[at]) return false
  return true
}

/** The digits as one number, skipping other characters; exact if it is below `EXACT_BELOW`. */
function digitsOf(bytes: Buffer, start: number, end: number): number {
  let number = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number
    if (byte !== DOT) number = number * 10 + (byte - ZERO)
  }
  return number
}
