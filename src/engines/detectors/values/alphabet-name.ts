import { FORM, type Found, MATCH, NO } from '../detector.ts'
import { WordRoles, withLetter } from '../word-roles.ts'
import { CYRILLIC_NAMES, FAMILY_ENDINGS, FATHER_ENDINGS, GREEK_NAMES, NO_PERSONS } from './alphabet-names.ts'
import { CHARACTER, CHARACTERS as KNOWN } from './known-names.ts'

const MOST_WORDS = 5

/** What a character is: a letter of a word, as the code of the small one without accents; a capital one; or what ends a word. */
const LETTER = 0x7ff
const CAPITAL = 0x800
const PART = 0x1000
const { NONE_SUCH, END, END_BY_COMMA, END_BY_DOT } = CHARACTER
const DASH_LETTER = PART | 1
const OTHER_LETTER = PART | 2
const APOSTROPHE = 39
const OTHER_APOSTROPHE = 0x2019
const DASH = 45

/** Letters of Greek and Cyrillic; names have no others. */
const FIRST = 0x370
const LAST = 0x52f

function characterOf(code: number): number {
  const known = KNOWN[code] as number
  if ((known & CHARACTER.PART) === 0) return known
  if (code >= FIRST && code <= LAST) {
    return PART | ((known & CHARACTER.CAPITAL) === 0 ? 0 : CAPITAL) | letterOf(String.fromCharCode(code))
  }
  if (code === APOSTROPHE || code === OTHER_APOSTROPHE || code === DASH) return DASH_LETTER
  return (known & CHARACTER.CAPITAL) === 0 ? OTHER_LETTER : OTHER_LETTER | CAPITAL
}

/** Letters with their accents taken away; marks that are characters by themselves count as letters that no name here has. */
const plainly = (text: string): string =>
  (text.normalize('NFD').replace(/\p{Mn}/gu, '') || '\u0001').toLowerCase().replaceAll('ς', 'σ')

const letterOf = (letter: string): number => plainly(letter).charCodeAt(0) & LETTER

/** Of all characters, so that none has to be asked whether it is in the table. */
const CHARACTERS = Uint16Array.from({ length: 0x10000 }, (_, code) => characterOf(code))

/** What a word may be. It is looked up by a number that is made of all its letters; its end, by one of the last four. */
const FIRST_NAME = 1
const NO_PERSON = 2
const LIKE_FAMILY = 4
const LIKE_FATHER = 8
const TAIL_BITS = 6
const TAIL_LETTER = 63
/** Four letters of a tail leave room for their number. */
const LONGEST_ENDING = 4
const LEAST_BEFORE_ENDING = 2
const ROLES = new WordRoles()
const lettersOf = (word: string): number[] =>
  [...plainly(word)].map((letter) => (CHARACTERS[letter.charCodeAt(0)] as number) & LETTER)
const numberOf = (word: string): number => lettersOf(word).reduce(withLetter, 0)
/** The number of an end has its length too. */
const endOf = (tail: number, length: number): number => (tail & (2 ** (length * TAIL_BITS) - 1)) | (length << 26)
const tailOf = (word: string): number =>
  lettersOf(word).reduce((tail, letter) => (tail << TAIL_BITS) | (letter & TAIL_LETTER), 0)

for (const [role, words, numberOfWord] of [
  [FIRST_NAME, [...CYRILLIC_NAMES, ...GREEK_NAMES], numberOf],
  [NO_PERSON, NO_PERSONS, numberOf],
  [LIKE_FAMILY, FAMILY_ENDINGS, (end: string) => endOf(tailOf(end), plainly(end).length)],
  [LIKE_FATHER, FATHER_ENDINGS, (end: string) => endOf(tailOf(end), plainly(end).length)]
] as const) {
  for (const word of words) ROLES.add(numberOfWord(word), role)
}

function endsAs(role: number, tail: number, count: number): boolean {
  for (let length = 1; length <= LONGEST_ENDING && length + LEAST_BEFORE_ENDING <= count; length++) {
    if ((ROLES.rolesOf(endOf(tail, length)) & role) !== 0) return true
  }
  return false
}

/**
 * A name in Cyrillic or Greek letters: with a first name in the first place or behind a word that looks like a family, with the name of a father, or
 * with initials.
 */
export function lookAtAlphabetName(value: string): Found {
  const { length } = value
  let words = 0
  let initials = 0
  let isKnown = false
  /** The end of the first word, and how long that is. */
  let firstTail = 0
  let firstLength = 0
  let hasComma = false
  let isInitialLast = false
  for (let at = 0; at < length; at++) {
    const start = at
    const initial = CHARACTERS[value.charCodeAt(at)] as number
    let character = initial
    let number = 0
    let tail = 0
    /** Of two names with a dash the first counts. */
    let isBeforeDash = true
    while (character >= PART) {
      if (character === DASH_LETTER) isBeforeDash = false
      if (isBeforeDash) number = withLetter(number, character & LETTER)
      tail = (tail << TAIL_BITS) | (character & TAIL_LETTER)
      character = ++at < length ? (CHARACTERS[value.charCodeAt(at)] as number) : END
    }
    if (character === NONE_SUCH) return NO
    if (character === END_BY_COMMA) hasComma = true
    if (at === start) continue
    if ((initial & CAPITAL) === 0 || ++words > MOST_WORDS) return NO
    isInitialLast = at - start === 1 && character === END_BY_DOT
    if (isInitialLast) {
      initials++
      continue
    }
    const own = words < 3 ? ROLES.rolesOf(number) : 0
    if ((own & NO_PERSON) !== 0) return NO
    if (words === 1) {
      isKnown = (own & FIRST_NAME) !== 0
      firstTail = tail
      firstLength = at - start
    } else if (!isKnown) {
      isKnown =
        ((own & FIRST_NAME) !== 0 && endsAs(LIKE_FAMILY, firstTail, firstLength)) ||
        endsAs(LIKE_FATHER, tail, at - start)
    }
  }
  if (words < 2) return words === 0 ? NO : FORM
  const isBeside = initials > 0 && words - initials === 1
  return isKnown || (isBeside && (!isInitialLast || initials > 1 || hasComma)) ? MATCH : FORM
}
