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

/** What each character adds to the counts of digits, of parts of words, of all others and of those that no address has: they share one number. */
const NUMBER = 1
const WORD = 1 << 8
const OTHER = 1 << 16
const FOREIGN = 1 << 24
/** The end of a word. */
const END = 0
const worthOf = (code: number): number => {
  if (code === BLANK || code === COMMA || code === DOT) return END
  if (isDigit(code)) return NUMBER
  // With - and /, which house numbers have too.
  if (isLetter(code) || code === 45 || code === 47) return WORD
  // @ = { _
  return code < 32 || code === 64 || code === 61 || code === 123 || code === 95 ? FOREIGN : OTHER
}
/** Of all Latin letters. */
const COMMON = 0x250
const WORTHS = Int32Array.from({ length: COMMON }, (_, code) => worthOf(code))

/** A street with the number of a house. Text with words and a number has the form only. */
function look(value: string): Found {
  const { length } = value
  if (length < 5 || length > 200 || value.indexOf(' ') === -1) return NO
  let words = 0
  let letters = 0
  let hasHouse = false
  let hasStreet = false
  let beforeIsHouse = false
  for (let at = 0; at < length; at++) {
    const start = at
    const first = value.charCodeAt(at)
    let code = first
    let counts = 0
    for (;;) {
      const worth = code < COMMON ? (WORTHS[code] as number) : worthOf(code)
      if (worth === END) break
      counts += worth
      if (++at === length) break
      code = value.charCodeAt(at)
    }
    if (counts >= FOREIGN) return NO
    if (counts === 0 || words === MOST_WORDS) continue
    words++
    const isHouse = counts < OTHER && isDigit(first) && isHouseNumber(counts)
    if (isHouse) hasHouse = true
    else if (isLetter(first)) {
      letters++
      if (!hasStreet) hasStreet = isStreetWord(value, start, at, words === 1 || beforeIsHouse, letters > 1)
    }
    if (hasHouse && hasStreet) return hasForeign(value, at) ? NO : MATCH
    beforeIsHouse = isHouse
  }
  return hasHouse && letters > 0 && words <= 8 ? FORM : NO
}

/** Whether there is a character in the rest that no address has. */
function hasForeign(value: string, from: number): boolean {
  let seen = 0
  for (let at = from; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (code < COMMON) seen |= WORTHS[code] as number
  }
  return seen >= FOREIGN
}

function isStreetWord(value: string, from: number, to: number, mayBeFirst: boolean, mayBeLast: boolean): boolean {
  if (mayBeFirst && FIRST_WORDS.has(value, from, to)) return true
  if (mayBeLast && LAST_WORDS.has(value, from, to)) return true
  if (to - from < LEAST_WITH_ENDING || !LAST_LETTERS.has(value, to - 3, to)) return false
  for (let at = 0; at < BY_LENGTH.length; at++) {
    const { length, words } = BY_LENGTH[at] as (typeof BY_LENGTH)[number]
    if (words.has(value, to - length, to)) return true
  }
  return false
}

/** Up to six digits, and a letter or another number behind them: `12`, `12a`, `12-14`, `12/3`. */
const isHouseNumber = (counts: number): boolean => (counts & 0xff) <= 6 && counts >> 8 <= 2

export const postalAddress = detector({
  kind: 'postal-address',
  form: 'Postal address',
  alone: 0.85,
  leastHolding: 0.5,
  formCounts: true,
  look
})
