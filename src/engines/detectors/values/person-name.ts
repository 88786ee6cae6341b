import { isAsciiLetter, isCapital, isLetter, isLower } from '../chars.ts'
import { detector, FORM, type Found, MATCH, NO } from '../detector.ts'
import { WordSet } from '../word-set.ts'
import { FIRST_NAMES } from './first-names.ts'

/** Words that companies, places and streets have in their names, and persons do not. */
const NO_PERSON = new WordSet(
  (
    'Inc Ltd LLC GmbH AG SA SAS SARL BV NV AB Oy SpA Srl Corp Co Company Group Holding Holdings Limited Bank Hotel Street Road Avenue Airport Station ' +
    'University School Hospital Store Shop Restaurant Cafe Bar Edition Collection Series Set Kit Pack Pro Max Plus Mini Ultra Classic Chair Table Lamp Shirt Dress ' +
    'Shoes Jacket Cake Coffee Tea Wine Cream Perfume Drill Phone Watch County City Island Bay Beach River Mountain'
  ).split(' '),
  'exact'
)
/** What stands before a family name, or between two. */
const PARTICLES = new WordSet(
  'de da do dos das del della di du des la le van von der den ter ten zu zum af av al bin ibn el y e'.split(' '),
  'exact'
)
const TITLE_WORDS = 'Mr Mrs Ms Dr Prof Herr Frau Mme Sr Sra Dott Ing'.split(' ')
const TITLES = new WordSet(TITLE_WORDS, 'exact')
/** By the last bits of a first letter, a bit for each length of titles that may begin with it. */
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
const ALL_CODES = 0x10000

/** What a character is: a part of a word, a capital letter among these, the end of a word, or what no name has. Within words stand also ' - ’, and behind them , . */
const PART = 1
const CAPITAL = 3
const END = 4
const partOf = (code: number): number => {
  if (isCapital(code)) return CAPITAL
  if (isLetter(code) || code === 39 || code === DASH || code === 0x2019) return PART
  return code === 32 || code === 46 || code === COMMA ? END : 0
}
/** Of all characters, so that none has to be asked whether it is in the table. */
const PARTS = Uint8Array.from({ length: ALL_CODES }, (_, code) => partOf(code))

/** The first word of the value that is looked at, or another word that may be a first name, in its place. */
const codes = new Uint16Array(LONGEST)

/**
 * Two to five words with capital letters, of which the first, or the first behind a comma, is a first name that many have.
 * One word, or words that nobody knows for a name, have the form only.
 */
function look(value: string): Found {
  const { length } = value
  if (length < 2 || length > LONGEST) return NO
  const initial = value.charCodeAt(0)
  if (PARTS[initial] !== CAPITAL) return NO
  codes[0] = initial
  for (let at = 1; at < length; at++) {
    const code = value.charCodeAt(at)
    codes[at] = code
    const part = PARTS[code] as number
    if ((part & PART) === 0) return part === 0 ? NO : lookAtWords(value, at)
  }
  return mayBeTitle(initial, length) && TITLES.has(value, 0, length) ? NO : FORM
}

/** The same where there is more than one word: where the first ends is known. */
function lookAtWords(value: string, end: number): Found {
  const { length } = value
  /** Where the words are that may be a first name: the first, and the first behind a comma. They matter only where there are two. */
  let first = 0
  let endOfFirst = end
  let other = 0
  let endOfOther = 0
  let words = mayBeTitle(codes[0] as number, end) && TITLES.has(value, 0, end) ? 0 : 1
  let isAfterComma = codes[end] === COMMA
  for (let at = end + 1; at < length; at++) {
    const start = at
    let code = value.charCodeAt(at)
    const initial = PARTS[code] as number
    let part = initial
    while ((part & PART) !== 0 && ++at < length) {
      code = value.charCodeAt(at)
      part = PARTS[code] as number
    }
    if (part === 0) return NO
    if (at > start) {
      if (initial !== CAPITAL) {
        if (words === 0 || !PARTICLES.has(value, start, at)) return NO
      } else if (words > 0) {
        if (NO_PERSON.has(value, start, at)) return NO
        if (isAfterComma) {
          other = start
          endOfOther = at
        }
        words++
      } else if (at - start > LONGEST_TITLE || !TITLES.has(value, start, at)) {
        first = start
        endOfFirst = at
        words++
      }
      isAfterComma = false
    }
    if (code === COMMA) isAfterComma = true
  }
  if (words === 0 || words > MOST_WORDS) return NO
  if (words === 1) return FORM
  if (first > 0) read(value, first, endOfFirst)
  if (isFirstName(first, endOfFirst)) return MATCH
  if (endOfOther === 0) return FORM
  read(value, other, endOfOther)
  return isFirstName(other, endOfOther) ? MATCH : FORM
}

function read(value: string, from: number, to: number): void {
  for (let at = from; at < to; at++) codes[at] = value.charCodeAt(at)
}

/** What a letter is in a name that is known, without its accents: from 1 for A to 26 for Z; 0 for all else. */
const LETTERS = new Uint8Array(ALL_CODES)
for (let code = 0; code < RARE; code++) {
  const plain = plainly(String.fromCharCode(code)).toLowerCase()
  if (/^[a-z]$/.test(plain)) LETTERS[code] = plain.charCodeAt(0) - 96
}
const LETTER_BITS = 5
/** A name is two numbers: one of so many letters, and one of the others. */
const HEAD_LETTERS = 6
const MOST_LETTERS = 12
/** More than twice as many as there are names. Each is in the place that its numbers tell, or in the next that was free. */
const PLACE_BITS = 11
const LAST_PLACE = 2 ** PLACE_BITS - 1
const heads = new Int32Array(LAST_PLACE + 1)
const tails = new Int32Array(LAST_PLACE + 1)
for (const name of FIRST_NAMES) {
  const numberOf = (part: string): number =>
    Array.from(part, (letter) => LETTERS[letter.charCodeAt(0)] as number).reduce(
      (all, one) => (all << LETTER_BITS) | one,
      0
    )
  const [head, tail] = [numberOf(name.slice(0, HEAD_LETTERS)), numberOf(name.slice(HEAD_LETTERS))]
  let place = placeOf(head, tail)
  while (heads[place] !== 0) place = (place + 1) & LAST_PLACE
  heads[place] = head
  tails[place] = tail
}

function placeOf(head: number, tail: number): number {
  return Math.imul(head ^ Math.imul(tail, 0x9e3779b1), 0x85ebca6b) >>> (32 - PLACE_BITS)
}

/**
 * Whether a word that was read is a first name that many have. Its letters make two numbers, which are looked up: no name has to be compared letter
 * by letter. All of it is in this module and in one piece: it is faster to get at tables that no module exports, and calls take their time.
 */
function isFirstName(from: number, to: number): boolean {
  const length = to - from
  if (length > MOST_LETTERS || (length < 3 && !isShort(from, to))) return isOddName(from, to)
  const middle = Math.min(to, from + HEAD_LETTERS)
  let head = 0
  let at = from
  for (; at < middle; at++) {
    const letter = LETTERS[codes[at] as number] as number
    if (letter === 0) return isOddName(from, to)
    head = (head << LETTER_BITS) | letter
  }
  let tail = 0
  for (; at < to; at++) {
    const letter = LETTERS[codes[at] as number] as number
    if (letter === 0) return isOddName(from, to)
    tail = (tail << LETTER_BITS) | letter
  }
  for (let place = placeOf(head, tail); heads[place] !== 0; place = (place + 1) & LAST_PLACE) {
    if (heads[place] === head && tails[place] === tail) return true
  }
  return false
}

/** Of two letters only as it is in the list: many abbreviations are as short. */
function isShort(from: number, to: number): boolean {
  return to - from === 2 && isAsciiLetter(codes[from] as number) && isLower(codes[from + 1] as number)
}

/** The same of a word that is very short or long, or has more than plain letters. Of two names with a dash, the first counts. */
function isOddName(from: number, to: number): boolean {
  let all = 0
  for (let at = from; at < to; at++) {
    const code = codes[at] as number
    if (code === DASH && at > from) return isFirstName(from, at)
    all |= code
  }
  return all >= RARE && isRareName(String.fromCharCode(...codes.subarray(from, to)))
}

function isRareName(name: string): boolean {
  const plain = plainly(name)
  if (name.length < 3 || name.length > 20 || !/^[a-z]+$/i.test(plain)) return false
  read(plain, 0, plain.length)
  return isFirstName(0, plain.length)
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
