import { isCapital, isLetter } from '../chars.ts'
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
const TITLES = new WordSet('Mr Mrs Ms Dr Prof Herr Frau Mme Sr Sra Dott Ing'.split(' '), 'exact')
const LONGEST_TITLE = 4
const KNOWN = new WordSet(FIRST_NAMES, 'plain')
const MOST_WORDS = 5

const COMMA = 44
const DASH = 45
/** Letters from here on may be made of several, and are rare in names that are known. */
const RARE = 0x250

/** What a character is: a part of a word, a capital letter among these, the end of a word, or what no name has. Within words stand also ' - ’, and behind them , . */
const PART = 1
const CAPITAL = 3
const END = 4
const partOf = (code: number): number => {
  if (isCapital(code)) return CAPITAL
  if (isLetter(code) || code === 39 || code === DASH || code === 0x2019) return PART
  return code === 32 || code === 46 || code === COMMA ? END : 0
}
const PARTS = Uint8Array.from({ length: RARE }, (_, code) => partOf(code))

/**
 * Two to five words with capital letters, of which the first, or the first behind a comma, is a first name that many have.
 * One word, or words that nobody knows for a name, have the form only.
 */
function look(value: string): Found {
  const { length } = value
  if (length < 2 || length > 60) return NO
  let words = 0
  let isAfterComma = false
  /** Where the words are that may be a first name: the first, and the first behind a comma. They matter only where there are two. */
  let first = 0
  let endOfFirst = 0
  let other = 0
  let endOfOther = 0
  for (let at = 0; at < length; at++) {
    const start = at
    let code = value.charCodeAt(at)
    const initial = code < RARE ? (PARTS[code] as number) : partOf(code)
    if (start === 0 && initial !== CAPITAL) return NO
    let part = initial
    while ((part & PART) !== 0 && ++at < length) {
      code = value.charCodeAt(at)
      part = code < RARE ? (PARTS[code] as number) : partOf(code)
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
  return isFirstName(value, first, endOfFirst) || isFirstName(value, other, endOfOther) ? MATCH : FORM
}

/** Of two names with a dash, the first counts. */
function isFirstName(value: string, from: number, to: number): boolean {
  if (to - from > 2 && KNOWN.has(value, from, to)) return true
  let codes = 0
  for (let at = from; at < to; at++) {
    const code = value.charCodeAt(at)
    if (code === DASH && at > from) return isFirstName(value, from, at)
    codes |= code
  }
  if (codes >= RARE) return isRareName(value.slice(from, to))
  // Of two letters only as it is in the list: many abbreviations are as short.
  return to - from === 2 && codes < 128 && value.charCodeAt(to - 1) >= 97 && KNOWN.has(value, from, to)
}

function isRareName(name: string): boolean {
  const plain = name.normalize('NFD').replace(/\p{Mn}/gu, '')
  return name.length > 2 && name.length <= 20 && KNOWN.has(plain, 0, plain.length)
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
