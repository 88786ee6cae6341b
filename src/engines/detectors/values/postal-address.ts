import { isDigit, isLetter } from '../chars.ts'
import { detector, FORM, type Found, MATCH, NO } from '../detector.ts'
import { WordSet } from '../word-set.ts'
import { ENDINGS, FIRST_WORDS, LAST_WORDS, RARE_STREET_WORDS } from './street-words.ts'
import { FIRST_UNDIVIDED, lookAtUndivided } from './undivided-address.ts'

const MOST_WORDS = 16
/** Text with more words than these does not have the form. */
const MOST_WORDS_OF_FORM = 12
const LEAST_WITH_ENDING = 7
const MOST_DIGITS = 6

/** Words of other alphabets begin with letters from here on. */
const RARE = 0x250
const RARE_WORDS = new WordSet(RARE_STREET_WORDS, 'caseless')

const BLANK = 32
const COMMA = 44
const DOT = 46
const COLON = 58
const NEW_LINE = 10
const RETURN = 13
const isEndOfWord = (code: number): boolean =>
  code === BLANK || code === COMMA || code === DOT || code === COLON || code === NEW_LINE || code === RETURN
/** No address has @ = { _ */
const isForeign = (code: number): boolean =>
  (code < BLANK && !isEndOfWord(code)) || code === 64 || code === 61 || code === 123 || code === 95

/**
 * What a character is in a word: one of the letters that words of streets have, in whatever case, as a number from 1 on; any other; or the end
 * of what is read, since a word ends here or no address has it.
 */
const END = 0
const FOREIGN = 32
const OTHER_LETTER = 31
const LETTER_BITS = 5
const LETTERS_OF_WORDS = 'abcdefghijklmnopqrstuvwxyzßäéç'
/** Of all characters, so that none has to be asked whether it is in the table. */
const LETTERS = new Uint8Array(0x10000).fill(OTHER_LETTER)
for (let code = 0; code < 0x100; code++) {
  const letter = LETTERS_OF_WORDS.indexOf(String.fromCharCode(code).toLowerCase()) + 1
  if (isEndOfWord(code)) LETTERS[code] = END
  else if (isForeign(code)) LETTERS[code] = FOREIGN
  else if (letter > 0) LETTERS[code] = letter
}

/**
 * As a word is read, its last six letters become one number: what is older is shifted out. That and the length are enough to look a word up;
 * the longest are then compared letter by letter.
 */
const TAIL_LETTERS = 6
const TAIL = 2 ** (TAIL_LETTERS * LETTER_BITS) - 1
/** The part of that number that so many letters are. */
const tailOf = (tail: number, length: number): number =>
  length < TAIL_LETTERS ? tail & ((1 << (length * LETTER_BITS)) - 1) : tail & TAIL

/** What a word may be: the first of a name, the last, or the end of one. */
const FIRST = 1
const LAST = 2
const ENDING = 4
/** More than four times as many as there are words. Each is in the place that its number tells, or in the next that was free. */
const PLACE_BITS = 10
const LAST_PLACE = 2 ** PLACE_BITS - 1
const tails = new Int32Array(LAST_PLACE + 1)
const lengths = new Uint8Array(LAST_PLACE + 1)
const roles = new Uint8Array(LAST_PLACE + 1)
const placeOf = (tail: number): number => Math.imul(tail, 0x9e3779b1) >>> (32 - PLACE_BITS)
const numberOf = (word: string): number =>
  Array.from(word, (letter) => LETTERS[letter.charCodeAt(0)] as number).reduce(
    (tail, letter) => ((tail << LETTER_BITS) | letter) & TAIL,
    0
  )
/** By the last three letters of a word, a bit for each length of endings that it may have. */
const LAST_LETTERS = 2 ** (3 * LETTER_BITS) - 1
const endingLengths = new Uint16Array(LAST_LETTERS + 1)
for (const [role, words] of [
  [FIRST, FIRST_WORDS],
  [LAST, LAST_WORDS],
  [ENDING, ENDINGS]
] as const) {
  for (const word of words) {
    const tail = numberOf(word)
    let place = placeOf(tail)
    while (roles[place] !== 0 && (tails[place] !== tail || lengths[place] !== word.length))
      place = (place + 1) & LAST_PLACE
    tails[place] = tail
    lengths[place] = word.length
    roles[place] = (roles[place] as number) | role
    const last = tail & LAST_LETTERS
    if (role === ENDING) endingLengths[last] = (endingLengths[last] as number) | (1 << word.length)
  }
}
const LONG_WORDS = new WordSet(
  [...FIRST_WORDS, ...LAST_WORDS, ...ENDINGS].filter(({ length }) => length > TAIL_LETTERS),
  'caseless'
)

/** What a word may be, by its last letters, its length, and where it ends. */
function rolesOf(tail: number, length: number, value: string, to: number): number {
  for (let place = placeOf(tail); roles[place] !== 0; place = (place + 1) & LAST_PLACE) {
    if (tails[place] !== tail || lengths[place] !== length) continue
    return length <= TAIL_LETTERS || LONG_WORDS.has(value, to - length, to) ? (roles[place] as number) : 0
  }
  return 0
}

/** Whether a word ends as streets do: of most, the last three letters tell that it does not. */
function hasEnding(tail: number, value: string, to: number): boolean {
  let bits = endingLengths[tail & LAST_LETTERS] as number
  for (; bits !== 0; bits &= bits - 1) {
    const length = 31 - Math.clz32(bits & -bits)
    if ((rolesOf(tailOf(tail, length), length, value, to) & ENDING) !== 0) return true
  }
  return false
}

/** A street with the number of a house. Text with words and a number has the form only. */
function look(value: string): Found {
  const { length } = value
  if (length < 5 || length > 200) return NO
  if (value.charCodeAt(0) >= FIRST_UNDIVIDED) return lookAtUndivided(value)
  let words = 0
  let hasHouse = false
  let hasStreet = false
  let hasBlank = false
  /** What the next word may be: the first of a name where it is the first of all or stands behind a number, the last behind any other word. */
  let wanted = FIRST
  for (let at = 0; at < length; at++) {
    const start = at
    const first = value.charCodeAt(at)
    let code = first
    while ((code - 48) >>> 0 <= 9 && ++at < length) code = value.charCodeAt(at)
    const digits = at - start
    let tail = 0
    let letter = END
    for (; at < length; at++) {
      code = value.charCodeAt(at)
      letter = LETTERS[code] as number
      if ((letter & OTHER_LETTER) === END) break
      tail = (tail << LETTER_BITS) | letter
    }
    if (letter === FOREIGN) return NO
    if (at === length) {
      if (!hasBlank) return NO
    } else if (code === BLANK) hasBlank = true
    if (at === start) continue
    if (++words > MOST_WORDS) return NO
    if (digits > 0) {
      // With nothing or one of these letters behind the digits it is one; of all else more has to be known.
      if (digits <= MOST_DIGITS && (tail >>> 0 < OTHER_LETTER || isHouseNumber(value, start, at))) {
        hasHouse = true
        wanted |= FIRST
      } else wanted &= LAST
    } else if (isLetter(first)) {
      if (!hasStreet) {
        hasStreet =
          (first >= RARE && RARE_WORDS.has(value, start, at)) ||
          (rolesOf(tail & TAIL, at - start, value, at) & wanted) !== 0 ||
          (at - start >= LEAST_WITH_ENDING && hasEnding(tail, value, at))
      }
      wanted = LAST
    } else wanted &= LAST
    if (hasHouse && hasStreet) return (hasBlank || value.includes(' ')) && !hasForeign(value, at) ? MATCH : NO
  }
  return hasHouse && wanted >= LAST && words <= MOST_WORDS_OF_FORM && hasBlank ? FORM : NO
}

/** Up to six digits, and a letter or another number behind them: `12`, `12a`, `12-14`, `12/3`. */
function isHouseNumber(value: string, from: number, to: number): boolean {
  let digits = 0
  for (let at = from; at < to; at++) {
    const code = value.charCodeAt(at)
    if (isDigit(code)) digits++
    // - / –
    else if (!isLetter(code) && code !== 45 && code !== 47 && code !== 0x2013) return false
  }
  return digits <= MOST_DIGITS && to - from - digits <= 2
}

/** Whether there is a character in the rest that no address has. */
function hasForeign(value: string, from: number): boolean {
  let seen = 0
  for (let at = from; at < value.length; at++) seen |= LETTERS[value.charCodeAt(at)] as number
  return seen >= FOREIGN
}

export const postalAddress = detector({
  kind: 'postal-address',
  form: 'Postal address',
  alone: 0.85,
  leastHolding: 0.5,
  formCounts: true,
  look
})
