import {
  digits,
  isAsciiLetter,
  isDay,
  isDigit,
  numberAt,
  PLACE_MARKS,
  type Places,
  readPlaces,
  tableOf,
  weighted
} from '../chars.ts'
import { BROKEN, type Detector, detector, type Found, MATCH, NO } from '../detector.ts'

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
/** The numbers that characters are read as. */
const numbersOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => CHARACTERS.indexOf(character))

const DIGIT = /\d/
const LETTER = /[A-Z]/
const times = (count: number, place: RegExp): RegExp[] => Array(count).fill(place)

function placesOf(longest: number, places: readonly RegExp[]): Places {
  const marksOf = (place: RegExp) => Array.from(CHARACTERS, (character) => (place.test(character) ? 1 : 0))
  const allowed = places.flatMap((place) => [...marksOf(place), ...Array(PLACE_MARKS - CHARACTERS.length).fill(0)])
  return { count: places.length, longest, allowed: Uint8Array.from(allowed) }
}

/** An id with letters in fixed places. Each has a function of its own, which is faster than one that is told what to do. */
const ofLetters = (form: string, alone: number, chance: number, look: Detector['look']): Detector =>
  detector({ kind: 'national-id', form, alone, chance, formCounts: true, look })

const verdict = (isRight: boolean): Found => (isRight ? MATCH : BROKEN)

/** See `digits`. */
const read = digits
const at = (place: number): number => read[place] as number
const isDayAt = (month: number, day: number) => isDay(numberAt(month, 2), numberAt(day, 2))

const DNI_LETTERS = numbersOf('TRWAGMYFPDXBNJZSQVHLCKE')
const X = CHARACTERS.indexOf('X')

/** X, Y and Z are 0, 1 and 2 in the first place. */
function isSpanish(): boolean {
  const first = at(0) < 10 ? at(0) : at(0) - X
  return DNI_LETTERS[(first * 10_000_000 + numberAt(1, 7)) % 23] === at(8)
}

const A = CHARACTERS.indexOf('A')

/** Corsica has letters in the place of a number: 2A counts as 19 and 2B as 18. */
function isFrench(): boolean {
  const month = numberAt(3, 2)
  if (month === 0 || (month > 12 && month < 20) || (month > 42 && month < 50)) return false
  const isCorsican = at(6) >= A
  if (isCorsican && at(5) !== 2) return false
  const department = isCorsican ? 19 - (at(6) - A) : numberAt(5, 2)
  const beginning = (numberAt(0, 5) * 100 + department) % 97
  return 97 - ((beginning * 1_000_000 + numberAt(7, 6)) % 97) === numberAt(13, 2)
}

/** What characters in odd places count, for 0 to 9 and for A to Z. */
const ODD = Uint8Array.of(
  ...[1, 0, 5, 7, 9, 13, 15, 17, 19, 21],
  ...[1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]
)

function isItalian(): boolean {
  let sum = ODD[at(0)] as number
  for (let place = 1; place < 15; place += 2) {
    sum += (at(place) < 10 ? at(place) : at(place) - 10) + (ODD[at(place + 1)] as number)
  }
  return at(15) - 10 === sum % 26
}

const HETU_CHECKS = Uint8Array.from('0123456789ABCDEFHJKLMNPRSTUVWXY', (check) => check.charCodeAt(0))
const HETU_SIGNS = tableOf((code) => '-+ABCDEFUVWXYabcdefuvwxy'.includes(String.fromCharCode(code)))

/** Behind the date comes the sign of the century, which may be a dash and is a part of it. */
function lookForHetu(value: string): Found {
  const sign = value.charCodeAt(6)
  if (value.length !== 11 || sign > 127 || HETU_SIGNS[sign] === 0) return NO
  let number = 0
  for (let place = 0; place < 10; place++) {
    if (place === 6) continue
    const digit = value.charCodeAt(place) - 48
    if (!(digit >= 0 && digit <= 9)) return NO
    read[place] = digit
    number = number * 10 + digit
  }
  const check = value.charCodeAt(10)
  if (!isDigit(check) && !isAsciiLetter(check)) return NO
  const right = HETU_CHECKS[number % 31]
  return verdict(isDayAt(2, 0) && right === (check > 96 ? check - 32 : check))
}

const CHINESE_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const CHINESE_CHECKS = numbersOf('10X98765432')

function isChinese(): boolean {
  const year = numberAt(6, 4)
  if (year < 1880 || year > 2099 || !isDayAt(10, 12)) return false
  return CHINESE_CHECKS[weighted(CHINESE_WEIGHTS) % 11] === at(17)
}

const N = CHARACTERS.indexOf('N')

/** The alphabet is the Spanish one: Ñ comes after N. */
function isMexican(): boolean {
  if (!isDayAt(6, 8)) return false
  let sum = 0
  for (let place = 0; place < 17; place++) sum += (at(place) > N ? at(place) + 1 : at(place)) * (18 - place)
  return (10 - (sum % 10)) % 10 === at(17)
}

/** Pairs of letters that are not given out, each as one number, have a mark. */
const NO_NINO = new Uint8Array(36 * 36)
for (const pair of ['BG', 'GB', 'NK', 'KN', 'TN', 'NT', 'ZZ']) NO_NINO[Number.parseInt(pair, 36)] = 1
/** Neither letter is D, F, I, Q, U or V, and the second is no O. */
const NINO = placesOf(13, [/[A-CEGHJ-PR-TW-Z]/, /[A-CEGHJ-NPR-TW-Z]/, ...times(6, DIGIT), /[A-D]/])
const NIR = placesOf(21, [/[1-478]/, ...times(5, DIGIT), /[0-9AB]/, ...times(8, DIGIT)])
const CODICE = placesOf(19, [
  ...times(6, LETTER),
  ...times(2, /[0-9L-V]/),
  /[A-EHLMPR-T]/,
  ...times(2, /[0-9L-V]/),
  LETTER,
  ...times(3, /[0-9L-V]/),
  LETTER
])
const DNI = placesOf(12, [/[0-9XYZ]/, ...times(7, DIGIT), LETTER])
const CHINESE = placesOf(18, [/[1-9]/, ...times(16, DIGIT), /[0-9X]/])
const CURP = placesOf(18, [...times(4, LETTER), ...times(6, DIGIT), /[HMX]/, ...times(5, LETTER), /[0-9A-Z]/, DIGIT])

export const ALPHANUMERIC: readonly Detector[] = [
  ofLetters('National Insurance number (United Kingdom)', 0.92, 0.05, (value) =>
    readPlaces(value, NINO) ? verdict(NO_NINO[at(0) * 36 + at(1)] === 0) : NO
  ),
  ofLetters('NIR (France)', 0.95, 0.01, (value) => (readPlaces(value, NIR) ? verdict(isFrench()) : NO)),
  ofLetters('Codice fiscale (Italy)', 0.97, 0.04, (value) => (readPlaces(value, CODICE) ? verdict(isItalian()) : NO)),
  ofLetters('DNI or NIE (Spain)', 0.93, 0.043, (value) => (readPlaces(value, DNI) ? verdict(isSpanish()) : NO)),
  detector({ kind: 'national-id', form: 'Henkilötunnus (Finland)', alone: 0.97, chance: 0.03, look: lookForHetu }),
  ofLetters('Resident identity number (China)', 0.97, 0.02, (value) =>
    readPlaces(value, CHINESE) ? verdict(isChinese()) : NO
  ),
  ofLetters('CURP (Mexico)', 0.97, 0.02, (value) => (readPlaces(value, CURP) ? verdict(isMexican()) : NO))
]
