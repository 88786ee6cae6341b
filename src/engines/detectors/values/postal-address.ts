import { isDigit, isLetter } from '../chars.ts'
import { detector, FORM, type Found, MATCH, NO } from '../detector.ts'
import { WordSet } from '../word-set.ts'

/** Words that streets end with, or are called by before their number: the last word of a name. */
const LAST_WORDS = new WordSet(
  (
    'street st road rd avenue ave lane ln drive dr boulevard blvd way court ct square sq terrace crescent close parkway pkwy highway hwy place pl ' +
    'straße strasse str weg platz gasse allee ring damm ufer straat laan plein kade gracht weg gatan vägen gata väg gränd katu tie polku kuja vej gade gt vei veien gaten ulica'
  ).split(' '),
  'caseless'
)
/** Ends of names that are written in one word; three letters tell of most words that they have none of these. */
const ENDINGS =
  'straße strasse str weg platz gasse allee damm ufer straat laan plein kade gracht gatan vägen katu tie vej gade veien gaten'.split(
    ' '
  )
const LAST_LETTERS = new WordSet([...new Set(ENDINGS.map((ending) => ending.slice(-3)))], 'caseless')
const BY_LENGTH = [...Map.groupBy(ENDINGS, ({ length }) => length)].map(([length, words]) => ({
  length,
  words: new WordSet(words, 'caseless')
}))
/** Words that come before the name. */
const FIRST_WORDS = new WordSet(
  (
    'rue avenue av boulevard bd chemin impasse allée allee place quai cours route via viale piazza corso largo vicolo calle avenida avda plaza paseo carrer ' +
    'rua travessa praça alameda ul ulica aleja al plac os osiedle jalan strada bulevardul'
  ).split(' '),
  'caseless'
)
const MOST_WORDS = 16
const LEAST_WITH_ENDING = 7

const BLANK = 32
const COMMA = 44
const DOT = 46

/** What a character is: the end of a word, a part of a number, a part of a word, anything else, or what no address has. */
const END = 0
const NUMBER = 1
const WORD = 2
const OTHER = 3
const FOREIGN = 4
const PARTS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code === BLANK || code === COMMA || code === DOT) return END
  if (isDigit(code)) return NUMBER
  // With - and /, which house numbers have too.
  if (isLetter(code) || code === 45 || code === 47) return WORD
  // @ = { _
  return code < 32 || code === 64 || code === 61 || code === 123 || code === 95 ? FOREIGN : OTHER
})

/** A street with the number of a house. Text with words and a number has the form only. */
function look(value: string): Found {
  const { length } = value
  if (length < 5 || length > 200 || value.indexOf(' ') === -1) return NO
  let words = 0
  let letters = 0
  let start = 0
  let hasHouse = false
  let hasStreet = false
  let beforeIsHouse = false
  /** How many characters of a word are digits, and how many are such as may stand in the number of a house. */
  let numbers = 0
  let others = 0
  for (let at = 0; at <= length; at++) {
    const code = at === length ? BLANK : value.charCodeAt(at)
    const part = code < 128 ? (PARTS[code] as number) : isLetter(code) ? WORD : OTHER
    if (part === FOREIGN) return NO
    if (part === NUMBER) numbers++
    else if (part === WORD) others++
    if (part !== END) continue
    if (at > start && words <= MOST_WORDS && ++words <= MOST_WORDS) {
      const isHouse = numbers > 0 && at - start === numbers + others && isHouseNumber(value, start, numbers, others)
      if (isHouse) hasHouse = true
      else if (isLetter(value.charCodeAt(start))) {
        letters++
        if (!hasStreet) hasStreet = isStreetWord(value, start, at, words === 1 || beforeIsHouse, letters > 1)
      }
      beforeIsHouse = isHouse
    }
    start = at + 1
    numbers = 0
    others = 0
  }
  if (hasHouse && hasStreet) return MATCH
  return hasHouse && letters > 0 && words <= 8 ? FORM : NO
}

function isStreetWord(value: string, from: number, to: number, mayBeFirst: boolean, mayBeLast: boolean): boolean {
  if (mayBeFirst && FIRST_WORDS.has(value, from, to)) return true
  if (mayBeLast && LAST_WORDS.has(value, from, to)) return true
  if (to - from < LEAST_WITH_ENDING || !LAST_LETTERS.has(value, to - 3, to)) return false
  return BY_LENGTH.some(({ length, words }) => words.has(value, to - length, to))
}

/** Up to six digits, and a letter or another number behind them: `12`, `12a`, `12-14`, `12/3`. */
const isHouseNumber = (value: string, from: number, numbers: number, others: number): boolean =>
  numbers <= 6 && others <= 2 && isDigit(value.charCodeAt(from))

export const postalAddress = detector({
  kind: 'postal-address',
  form: 'Postal address',
  alone: 0.85,
  leastHolding: 0.5,
  formCounts: true,
  look
})
