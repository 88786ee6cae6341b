import { isAsciiLetter, isCapital, isLetter, isLower } from '../chars.ts'
import { detector, FORM, type Found, MATCH, NO } from '../detector.ts'
import { WordSet } from '../word-set.ts'
import { FIRST_NAMES } from './first-names.ts'
import { NO_PERSON_WORDS, PARTICLE_WORDS, TITLE_WORDS } from './name-words.ts'

const NO_PERSON = new WordSet(NO_PERSON_WORDS, 'exact')
const PARTICLES = new WordSet(PARTICLE_WORDS, 'exact')
const TITLES = new WordSet(TITLE_WORDS, 'exact')
/** By the number of a first letter, a bit for each length of titles that may begin with it. */
const TITLE_LENGTHS = new Uint8Array(32)
for (const title of TITLE_WORDS) {
  const initial = title.charCodeAt(0) & 31
  TITLE_LENGTHS[initial] = (TITLE_LENGTHS[initial] as number) | (1 << title.length)
}
const LONGEST_TITLE = 4
const mayBeTitle = (initial: number, length: number): boolean =>
  length <= LONGEST_TITLE && ((TITLE_LENGTHS[initial & 31] as number) & (1 << length)) !== 0
const MOST_WORDS = 5
const LONGEST = 60

const COMMA = 44
const DASH = 45
/** Letters from here on may be made of several, and are rare in names that are known. */
const RARE = 0x250

/**
 * What a character is: a part of a word, a capital letter among these, the end of a word, or what no name has. Within words stand also ' - ’, and
 * behind them , . Parts of words have the number of their letter without its accents too: from 1 for A to 26 for Z, or another.
 */
const LETTER = 31
const OTHER_LETTER = 31
const PART = 32
const CAPITAL = 64
/** More has to be known about words with a dash or rare letters. */
const ODD = 128
const NONE_SUCH = 0
const END = 1
const END_BY_COMMA = 2
const LETTER_BITS = 5

function characterOf(code: number): number {
  if (code === COMMA) return END_BY_COMMA
  if (code === 32 || code === 46) return END
  const part = isCapital(code) ? PART | CAPITAL : PART
  if (part === PART && !isLetter(code) && code !== 39 && code !== DASH && code !== 0x2019) return NONE_SUCH
  if (code === DASH || code >= RARE) return part | ODD | OTHER_LETTER
  const plain = plainly(String.fromCharCode(code)).toLowerCase()
  return part | (/^[a-z]$/.test(plain) ? plain.charCodeAt(0) - 96 : OTHER_LETTER)
}
/** Of all characters, so that none has to be asked whether it is in the table. */
const CHARACTERS = Uint8Array.from({ length: 0x10000 }, (_, code) => characterOf(code))

/**
 * As a word is read, its last six letters become one number: what is older is shifted out. Names that are known are looked up by that; where they are
 * longer, the letters before these are made a number then.
 */
const TAIL_LETTERS = 6
const TAIL = 2 ** (TAIL_LETTERS * LETTER_BITS) - 1
const MOST_LETTERS = 12
const LONGEST_ODD = 20

/** The number of the letters in a part of a text, of which there are up to six. */
function numberOf(text: string, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at++)
    number = (number << LETTER_BITS) | ((CHARACTERS[text.charCodeAt(at)] as number) & LETTER)
  return number
}

/** More than four times as many as there are names. Each is in the place that its last letters tell, or in the next that was free. */
const PLACE_BITS = 12
const LAST_PLACE = 2 ** PLACE_BITS - 1
const heads = new Int32Array(LAST_PLACE + 1)
const tails = new Int32Array(LAST_PLACE + 1)
/** A mark in the place of each word that persons do not have in their names. */
const noPerson = new Uint8Array(LAST_PLACE + 1)

function placeOf(tail: number): number {
  return Math.imul(tail & TAIL, 0x9e3779b1) >>> (32 - PLACE_BITS)
}

for (const name of FIRST_NAMES) {
  const middle = Math.max(0, name.length - TAIL_LETTERS)
  const tail = numberOf(name, middle, name.length)
  let place = placeOf(tail)
  while (tails[place] !== 0) place = (place + 1) & LAST_PLACE
  heads[place] = numberOf(name, 0, middle)
  tails[place] = tail
}
for (const word of NO_PERSON_WORDS) {
  noPerson[placeOf(numberOf(word, Math.max(0, word.length - TAIL_LETTERS), word.length))] = 1
}

/**
 * Two to five words with capital letters, of which the first, or the first behind a comma, is a first name that many have.
 * One word, or words that nobody knows for a name, have the form only.
 */
function look(value: string): Found {
  const { length } = value
  if (length < 2 || length > LONGEST) return NO
  const initial = CHARACTERS[value.charCodeAt(0)] as number
  if ((initial & CAPITAL) === 0) return NO
  let tail = initial & LETTER
  let seen = initial
  for (let at = 1; at < length; at++) {
    const character = CHARACTERS[value.charCodeAt(at)] as number
    if ((character & PART) === 0) {
      if (character === NONE_SUCH) return NO
      if (mayBeTitle(initial, at) && TITLES.has(value, 0, at)) return lookAtOthers(value, at, 0, false)
      return lookAtOthers(value, at, 1, isFirstName(tail, seen, value, 0, at))
    }
    tail = (tail << LETTER_BITS) | (character & LETTER)
    seen |= character
  }
  return mayBeTitle(initial, length) && TITLES.has(value, 0, length) ? NO : FORM
}

/** The same where there is more than one word: where the first ends, how many words count so far, and whether there is a first name. */
function lookAtOthers(value: string, end: number, count: number, isFirstKnown: boolean): Found {
  const { length } = value
  let words = count
  let isKnown = isFirstKnown
  let isOtherKnown = false
  let isAfterComma = value.charCodeAt(end) === COMMA
  for (let at = end + 1; at < length; at++) {
    const start = at
    const initial = CHARACTERS[value.charCodeAt(at)] as number
    let character = initial
    let tail = 0
    let seen = 0
    while ((character & PART) !== 0) {
      tail = (tail << LETTER_BITS) | (character & LETTER)
      seen |= character
      if (++at === length) break
      character = CHARACTERS[value.charCodeAt(at)] as number
    }
    if (character === NONE_SUCH) return NO
    if (at > start) {
      if ((initial & CAPITAL) === 0) {
        if (words === 0 || !PARTICLES.has(value, start, at)) return NO
      } else if (words > 0) {
        if (noPerson[placeOf(tail)] === 1 && NO_PERSON.has(value, start, at)) return NO
        if (isAfterComma) isOtherKnown = isFirstName(tail, seen, value, start, at)
        words++
      } else if (!mayBeTitle(initial, at - start) || !TITLES.has(value, start, at)) {
        isKnown = isFirstName(tail, seen, value, start, at)
        words++
      }
      isAfterComma = false
    }
    if (character === END_BY_COMMA) isAfterComma = true
  }
  if (words === 0 || words > MOST_WORDS) return NO
  return words > 1 && (isKnown || isOtherKnown) ? MATCH : FORM
}

/** Whether a word is a first name that many have, by its last letters and all that its characters are. */
function isFirstName(tail: number, seen: number, value: string, from: number, to: number): boolean {
  if (seen >= ODD) return isOddName(value.slice(from, to))
  const length = to - from
  if (length > MOST_LETTERS || (length < 3 && !isShort(value, from, to))) return false
  const wanted = tail & TAIL
  for (let place = placeOf(tail); tails[place] !== 0; place = (place + 1) & LAST_PLACE) {
    if (tails[place] === wanted && heads[place] === numberOf(value, from, to - TAIL_LETTERS)) return true
  }
  return false
}

/** Of two letters only as it is in the list: many abbreviations are as short. */
function isShort(value: string, from: number, to: number): boolean {
  return to - from === 2 && isAsciiLetter(value.charCodeAt(from)) && isLower(value.charCodeAt(from + 1))
}

/** The same of a word with a dash or rare letters. Of two names with a dash, the first counts. */
function isOddName(word: string): boolean {
  const dash = word.indexOf('-', 1)
  if (dash !== -1) return isName(word.slice(0, dash))
  const plain = plainly(word)
  return word.length >= 3 && word.length <= LONGEST_ODD && /^[a-z]+$/i.test(plain) && isName(plain)
}

function isName(name: string): boolean {
  let seen = 0
  for (let at = 0; at < name.length; at++) seen |= CHARACTERS[name.charCodeAt(at)] as number
  const tail = numberOf(name, Math.max(0, name.length - TAIL_LETTERS), name.length)
  return isFirstName(tail, seen, name, 0, name.length)
}

function plainly(name: string): string {
  return name.normalize('NFD').replace(/\p{Mn}/gu, '')
}

export const personName = detector({
  kind: 'person-name',
  form: 'Name of a person',
  alone: 0.8,
  chance: 0.1,
  leastHolding: 0.35,
  formCounts: true,
  look
})
