import { isCapital, isLetter } from '../chars.ts'
import { detector, FORM, type Found, MATCH, NO } from '../detector.ts'
import { WordSet } from '../word-set.ts'
import { lookAtAlphabetName } from './alphabet-name.ts'
import { lookAtEasternName } from './eastern-name.ts'
import { CHARACTER, mayBeNoPerson, ROLE, rolesOf, CHARACTERS as TABLE } from './known-names.ts'
import { FAMILY_ENDINGS, NO_PERSON_WORDS, PARTICLE_WORDS, SMALL_TITLE_WORDS } from './name-words.ts'

/** What is no import is known to be constant, and is faster to get at. */
const CHARACTERS = TABLE
const { LETTER, LETTER_BITS, PART, CAPITAL, ODD, NONE_SUCH, END_BY_COMMA, END_BY_DOT } = CHARACTER
const { FIRST_NAME, FAMILY_NAME, TITLE, LISTED } = ROLE
const NO_PERSON = new WordSet(NO_PERSON_WORDS, 'exact')
const PARTICLES = new WordSet(PARTICLE_WORDS, 'exact')
const SMALL_TITLES = new WordSet(SMALL_TITLE_WORDS, 'exact')
const ENDINGS = new WordSet(FAMILY_ENDINGS, 'plain')
const SHORTEST_ENDING = 3
const LONGEST_ENDING = 7
const LEAST_BEFORE_ENDING = 2
const MOST_WORDS = 5
const MOST_BESIDE_INITIALS = 2
const LONGEST = 60
const BLANK = 32

/** Letters of Greek and Cyrillic, and of the languages of East Asia. */
const FIRST_GREEK = 0x370
const LAST_CYRILLIC = 0x52f
const FIRST_EASTERN = 0x2e80

/**
 * Two to five words with capital letters, of which the first, or the first behind a comma or a family name, is a first name that many have; or a
 * family name with initials. One word, or words that nobody knows for a name, have the form only.
 */
function look(value: string): Found {
  const { length } = value
  if (length < 2 || length > LONGEST) return NO
  const code = value.charCodeAt(0)
  const initial = CHARACTERS[code] as number
  if ((initial & PART) === 0) return NO
  if (initial >= ODD) {
    if (code >= FIRST_GREEK && code <= LAST_CYRILLIC) return lookAtAlphabetName(value)
    if (code >= FIRST_EASTERN) return lookAtEasternName(value)
  }
  let tail = initial & LETTER
  let seen = initial
  for (let at = 1; at < length; at++) {
    const character = CHARACTERS[value.charCodeAt(at)] as number
    if ((character & PART) === 0) {
      if (character === NONE_SUCH) return NO
      const roles = rolesOf(tail, seen, value, 0, at)
      return (initial & CAPITAL) === 0 ? lookAtSmall(value, at, roles) : lookAtOthers(value, at, roles)
    }
    tail = (tail << LETTER_BITS) | (character & LETTER)
    seen |= character
  }
  const roles = rolesOf(tail, seen, value, 0, length)
  if ((initial & CAPITAL) === 0) return (roles & (FIRST_NAME | FAMILY_NAME)) !== 0 ? FORM : NO
  return (roles & (TITLE | LISTED)) === 0 ? FORM : NO
}

/** `beatriz pereira`: where no letter is a capital one, both words have to be known. */
function lookAtSmall(value: string, end: number, roles: number): Found {
  if (PARTICLES.has(value, 0, end)) return lookBehindParticles(value)
  if ((roles & FIRST_NAME) === 0 || value.charCodeAt(end) !== BLANK) return NO
  let tail = 0
  let seen = 0
  for (let at = end + 1; at < value.length; at++) {
    const character = CHARACTERS[value.charCodeAt(at)] as number
    if ((character & PART) === 0) return NO
    tail = (tail << LETTER_BITS) | (character & LETTER)
    seen |= character
  }
  return (rolesOf(tail, seen, value, end + 1, value.length) & FAMILY_NAME) !== 0 ? MATCH : NO
}

/** `de Vries, Jan`, `van der Berg` */
function lookBehindParticles(value: string): Found {
  let at = 0
  for (let blank = value.indexOf(' '); blank !== -1; blank = value.indexOf(' ', at)) {
    if (!PARTICLES.has(value, at, blank)) return NO
    at = blank + 1
    if (((CHARACTERS[value.charCodeAt(at)] as number) & CAPITAL) !== 0) return look(value.slice(at))
  }
  return NO
}

/** The same where there is more than one word: where the first ends, and what it may be. */
function lookAtOthers(value: string, end: number, firstRoles: number): Found {
  const { length } = value
  const separator = CHARACTERS[value.charCodeAt(end)] as number
  /** How many words count, and what is known of the first of them: where it begins and ends, and what it may be. */
  let words = (firstRoles & TITLE) === 0 ? 1 : 0
  let first = 0
  let firstEnd = end
  let roles = words === 0 ? 0 : firstRoles
  let isKnown = (roles & FIRST_NAME) !== 0
  /** Where the second word begins, if it is a first name. */
  let second = 0
  let isInitialLast = end === 1 && separator === END_BY_DOT
  let initials = isInitialLast ? 1 : 0
  let hasComma = separator === END_BY_COMMA
  let isAfterComma = hasComma
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
        if (!(words === 0 ? SMALL_TITLES : PARTICLES).has(value, start, at)) return NO
      } else {
        if (words > 0 && mayBeNoPerson(tail) && NO_PERSON.has(value, start, at)) return NO
        isInitialLast = at - start === 1 && character === END_BY_DOT
        if (isInitialLast) initials++
        // Of the others only those behind a comma may be first names, or the second.
        const own = !isKnown && (words < 2 || isAfterComma) ? rolesOf(tail, seen, value, start, at) : 0
        if (words > 0 || (own & TITLE) === 0) {
          if ((own & FIRST_NAME) !== 0) {
            if (words === 0 || isAfterComma) isKnown = true
            else second = start
          }
          if (words++ === 0) {
            first = start
            firstEnd = at
            roles = own
          }
        }
      }
      isAfterComma = false
    }
    if (character === END_BY_COMMA) hasComma = isAfterComma = true
  }
  if (words < 2 || words > MOST_WORDS) return words === 1 ? FORM : NO
  if (isKnown || (second > 0 && ((roles & FAMILY_NAME) !== 0 || isFamily(value, first, firstEnd, second)))) return MATCH
  // Behind a family without a comma, as in `Acme B.V.`, they are something else.
  const isBeside = initials > 0 && words > initials && words - initials <= MOST_BESIDE_INITIALS
  return isBeside && (hasComma || !isInitialLast) ? MATCH : FORM
}

/** Whether a word ends as families do, or is all in capital letters before one that is not. */
function isFamily(value: string, from: number, to: number, second: number): boolean {
  const most = Math.min(LONGEST_ENDING, to - from - LEAST_BEFORE_ENDING)
  for (let length = SHORTEST_ENDING; length <= most; length++) {
    if (ENDINGS.has(value, to - length, to)) return true
  }
  if (to - from < 2 || isCapital(value.charCodeAt(second + 1))) return false
  for (let at = from; at < to; at++) {
    const code = value.charCodeAt(at)
    if (isLetter(code) && !isCapital(code)) return false
  }
  return true
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
