import { isAsciiLetter, isCapital, isLetter, isLower } from '../chars.ts'
import { FAMILY_NAMES } from './family-names.ts'
import { FIRST_NAMES } from './first-names.ts'
import { LIST_WORDS, NO_PERSON_WORDS, TITLE_WORDS } from './name-words.ts'

/** Letters that are one with what makes them other than their neighbours. */
const NEIGHBOURS: Readonly<Record<string, string>> = { ł: 'l', Ł: 'L', ø: 'o', Ø: 'O', đ: 'd', Đ: 'D', ı: 'i' }

const COMMA = 44
const DASH = 45
const DOT = 46
/** Letters from here on may be made of several, and are rare in names that are known. */
const RARE = 0x250

/**
 * What a character is: a part of a word, a capital letter among these, the end of a word, or what no name has. Within words stand also ' - ’, and
 * behind them , . Parts of words have the number of their letter without its accents too: from 1 for A to 26 for Z, or another. More has to be known
 * about odd words, which have a dash or rare letters.
 */
export const CHARACTER = {
  LETTER: 31,
  LETTER_BITS: 5,
  PART: 32,
  CAPITAL: 64,
  ODD: 128,
  NONE_SUCH: 0,
  END: 1,
  END_BY_COMMA: 2,
  END_BY_DOT: 3
} as const
/** What is of the module itself is known to be constant, and is faster to get at. */
const { LETTER, LETTER_BITS, PART, CAPITAL, ODD, NONE_SUCH, END, END_BY_COMMA, END_BY_DOT } = CHARACTER
const OTHER_LETTER = 31

function characterOf(code: number): number {
  if (code === COMMA) return END_BY_COMMA
  if (code === DOT) return END_BY_DOT
  if (code === 32) return END
  const part = isCapital(code) ? PART | CAPITAL : PART
  if (part === PART && !isLetter(code) && code !== 39 && code !== DASH && code !== 0x2019) return NONE_SUCH
  if (code === DASH || code >= RARE) return part | ODD | OTHER_LETTER
  const plain = plainly(String.fromCharCode(code)).toLowerCase()
  return part | (/^[a-z]$/.test(plain) ? plain.charCodeAt(0) - 96 : OTHER_LETTER)
}
/** Of all characters, so that none has to be asked whether it is in the table. */
const characters = Uint8Array.from({ length: 0x10000 }, (_, code) => characterOf(code))
export const CHARACTERS = characters

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
    number = (number << LETTER_BITS) | ((characters[text.charCodeAt(at)] as number) & LETTER)
  return number
}

/** What a word may be. */
export const ROLE = { FIRST_NAME: 1, FAMILY_NAME: 2, TITLE: 4, LISTED: 8 } as const
/** About four times as many as there are names. Each is in the place that its last letters tell, or in the next that was free. */
const PLACE_BITS = 14
const LAST_PLACE = 2 ** PLACE_BITS - 1
/** Three numbers for each place, close together: the last letters, those before, and what the word may be. */
const PLACE = 4
const LAST_NUMBER = (LAST_PLACE + 1) * PLACE - 1
const places = new Int32Array(LAST_NUMBER + 1)
/** A mark in the place of each word that persons do not have in their names. */
const noPerson = new Uint8Array(LAST_PLACE + 1)

function placeOf(tail: number): number {
  return Math.imul(tail & TAIL, 0x9e3779b1) >>> (32 - PLACE_BITS)
}

for (const [role, names] of [
  [ROLE.FIRST_NAME, FIRST_NAMES],
  [ROLE.FAMILY_NAME, FAMILY_NAMES],
  [ROLE.TITLE, TITLE_WORDS],
  [ROLE.LISTED, LIST_WORDS]
] as const) {
  for (const name of names) {
    const middle = Math.max(0, name.length - TAIL_LETTERS)
    const head = numberOf(name, 0, middle)
    const tail = numberOf(name, middle, name.length)
    let place = placeOf(tail) * PLACE
    while (places[place] !== 0 && (places[place] !== tail || places[place + 1] !== head)) {
      place = (place + PLACE) & LAST_NUMBER
    }
    places[place] = tail
    places[place + 1] = head
    places[place + 2] = (places[place + 2] as number) | role
  }
}
for (const word of NO_PERSON_WORDS) {
  noPerson[placeOf(numberOf(word, Math.max(0, word.length - TAIL_LETTERS), word.length))] = 1
}

/** Whether a word may be one that persons do not have in their names, by its last letters. */
export const mayBeNoPerson = (tail: number): boolean => noPerson[placeOf(tail)] === 1

/** What a word may be, by its last letters and all that its characters are. */
export function rolesOf(tail: number, seen: number, value: string, from: number, to: number): number {
  if (seen >= ODD) return rolesOfOdd(value.slice(from, to))
  const length = to - from
  if (length > MOST_LETTERS || (length < 3 && !isShort(value, from, to))) return 0
  const wanted = tail & TAIL
  for (let place = placeOf(tail) * PLACE; places[place] !== 0; place = (place + PLACE) & LAST_NUMBER) {
    if (places[place] === wanted && places[place + 1] === numberOf(value, from, to - TAIL_LETTERS)) {
      return places[place + 2] as number
    }
  }
  return 0
}

/** Of two letters only as it is in the list: many abbreviations are as short. */
function isShort(value: string, from: number, to: number): boolean {
  return to - from === 2 && isAsciiLetter(value.charCodeAt(from)) && isLower(value.charCodeAt(from + 1))
}

/** The same of a word with a dash or rare letters. Of two names with a dash, the first counts. */
function rolesOfOdd(word: string): number {
  const dash = word.indexOf('-', 1)
  if (dash !== -1) return rolesOfName(word.slice(0, dash))
  const plain = plainly(word)
  return word.length >= 3 && word.length <= LONGEST_ODD && /^[a-z]+$/i.test(plain) ? rolesOfName(plain) : 0
}

function rolesOfName(name: string): number {
  let seen = 0
  for (let at = 0; at < name.length; at++) seen |= characters[name.charCodeAt(at)] as number
  const tail = numberOf(name, Math.max(0, name.length - TAIL_LETTERS), name.length)
  return rolesOf(tail, seen, name, 0, name.length)
}

function plainly(name: string): string {
  return name
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[łŁøØđĐı]/g, (letter) => NEIGHBOURS[letter] as string)
}
