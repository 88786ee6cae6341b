import { DAYS_OF_YEAR, digits, isAsciiLetter, isDigit, placesOf, readPlaces, tableOf } from '../chars.ts'
import { BROKEN, type Detector, detector, type Found, MATCH, NO } from '../detector.ts'

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
/** The numbers that characters are read as. */
const numbersOf = (text: string): Uint8Array => Uint8Array.from(text, (character) => CHARACTERS.indexOf(character))

const DIGIT = /\d/
const LETTER = /[A-Z]/
const times = (count: number, place: RegExp): RegExp[] => Array(count).fill(place)

/** An id with letters in fixed places. Each has a function of its own, which is faster than one that is told what to do. */
const ofLetters = (form: string, alone: number, chance: number, look: Detector['look']): Detector =>
  detector({ kind: 'national-id', form, alone, chance, formCounts: true, look })

const verdict = (isRight: boolean): Found => (isRight ? MATCH : BROKEN)

/** See `digits`. Numbers and sums are written out, so that nothing is called for a digit. */
const read = digits
const isDay = DAYS_OF_YEAR

const DNI = placesOf(12, [/[0-9XYZ]/, ...times(7, DIGIT), LETTER])
const DNI_LETTERS = numbersOf('TRWAGMYFPDXBNJZSQVHLCKE')
const X = CHARACTERS.indexOf('X')

/** X, Y and Z are 0, 1 and 2 in the first place. */
const DNI_FIRST = Uint8Array.from(CHARACTERS, (_, part) => (part < X ? part : part - X))

/** The letter tells the rest of the number by 23; each place counts as its power of ten does. */
function lookForDni(value: string): Found {
  if (!readPlaces(value, DNI)) return NO
  const half = (DNI_FIRST[read[0]] as number) * 14 + read[1] * 6 + read[2] * 19 + read[3] * 18
  return verdict(DNI_LETTERS[(half + read[4] * 11 + read[5] * 8 + read[6] * 10 + read[7]) % 23] === read[8])
}

const A = CHARACTERS.indexOf('A')

/** Corsica has letters in the place of a number: 2A counts as 19 and 2B as 18. */
function isFrench(): boolean {
  const month = read[3] * 10 + read[4]
  if (month === 0 || (month > 12 && month < 20) || (month > 42 && month < 50)) return false
  const isCorsican = read[6] >= A
  if (isCorsican && read[5] !== 2) return false
  const department = isCorsican ? 19 - (read[6] - A) : read[5] * 10 + read[6]
  const beginning = (read[0] * 10_000 + read[1] * 1000 + read[2] * 100 + month) * 100 + department
  const end = read[7] * 100_000 + read[8] * 10_000 + read[9] * 1000 + read[10] * 100 + read[11] * 10 + read[12]
  return 97 - (((beginning % 97) * 1_000_000 + end) % 97) === read[13] * 10 + read[14]
}

/** What characters in odd places count, for 0 to 9 and for A to Z. */
const ODD = Uint8Array.of(
  ...[1, 0, 5, 7, 9, 13, 15, 17, 19, 21],
  ...[1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]
)
/** And what they count in even ones. */
const EVEN = Uint8Array.from(ODD, (_, at) => (at < 10 ? at : at - 10))

function isItalian(): boolean {
  let sum = ODD[read[0]] as number
  for (let place = 1; place < 15; place += 2) {
    sum += (EVEN[read[place] as number] as number) + (ODD[read[place + 1] as number] as number)
  }
  return read[15] - 10 === sum % 26
}

const HETU_CHECKS = Uint8Array.from('0123456789ABCDEFHJKLMNPRSTUVWXY', (check) => check.charCodeAt(0))
const HETU_SIGNS = tableOf((code) => '-+ABCDEFUVWXYabcdefuvwxy'.includes(String.fromCharCode(code)))

/** Behind the date comes the sign of the century, which may be a dash and is a part of it. */
function lookForHetu(value: string): Found {
  if (value.length !== 11) return NO
  const sign = value.charCodeAt(6)
  if (sign > 127 || HETU_SIGNS[sign] === 0) return NO
  for (let place = 0; place < 10; place++) {
    if (place === 6) continue
    const digit = value.charCodeAt(place) - 48
    if (digit >>> 0 > 9) return NO
    read[place] = digit
  }
  const check = value.charCodeAt(10)
  if (!isDigit(check) && !isAsciiLetter(check)) return NO
  if (isDay[read[2] * 1000 + read[3] * 100 + read[0] * 10 + read[1]] === 0) return BROKEN
  const date = read[0] * 100_000 + read[1] * 10_000 + read[2] * 1000 + read[3] * 100 + read[4] * 10 + read[5]
  const rest = ((date % 31) * 1000 + read[7] * 100 + read[8] * 10 + read[9]) % 31
  return verdict(HETU_CHECKS[rest] === (check > 96 ? check - 32 : check))
}

const CHINESE_CHECKS = numbersOf('10X98765432')
const CHINESE_DIGITS = 17

/** Seventeen digits, of which eight are a date, and a digit or an X that checks them. */
function lookForChinese(value: string): Found {
  if (value.length !== CHINESE_DIGITS + 1) return NO
  for (let place = 0; place < CHINESE_DIGITS; place++) {
    const digit = value.charCodeAt(place) - 48
    if (digit >>> 0 > 9) return NO
    read[place] = digit
  }
  const last = value.charCodeAt(CHINESE_DIGITS)
  const check = isDigit(last) ? last - 48 : X
  if (read[0] === 0 || (check === X && last !== 88 && last !== 120)) return NO
  return verdict(isChinese(check))
}

function isChinese(check: number): boolean {
  const year = read[6] * 1000 + read[7] * 100 + read[8] * 10 + read[9]
  if (year < 1880 || year > 2099 || isDay[read[10] * 1000 + read[11] * 100 + read[12] * 10 + read[13]] === 0)
    return false
  // The weights come again after ten places.
  const first =
    (read[0] + read[10]) * 7 + (read[1] + read[11]) * 9 + (read[2] + read[12]) * 10 + (read[3] + read[13]) * 5
  const second =
    (read[4] + read[14]) * 8 + (read[5] + read[15]) * 4 + (read[6] + read[16]) * 2 + read[7] + read[8] * 6 + read[9] * 3
  return CHINESE_CHECKS[(first + second) % 11] === check
}

const N = CHARACTERS.indexOf('N')

/** The alphabet is the Spanish one: Ñ comes after N. */
function isMexican(): boolean {
  if (isDay[read[6] * 1000 + read[7] * 100 + read[8] * 10 + read[9]] === 0) return false
  let sum = 0
  for (let place = 0; place < 17; place++) {
    const part = read[place] as number
    sum += (part > N ? part + 1 : part) * (18 - place)
  }
  return (10 - (sum % 10)) % 10 === read[17]
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
const CURP = placesOf(18, [...times(4, LETTER), ...times(6, DIGIT), /[HMX]/, ...times(5, LETTER), /[0-9A-Z]/, DIGIT])

export const ALPHANUMERIC: readonly Detector[] = [
  ofLetters('National Insurance number (United Kingdom)', 0.92, 0.05, (value) =>
    readPlaces(value, NINO) ? verdict(NO_NINO[read[0] * 36 + read[1]] === 0) : NO
  ),
  ofLetters('NIR (France)', 0.95, 0.01, (value) => (readPlaces(value, NIR) ? verdict(isFrench()) : NO)),
  ofLetters('Codice fiscale (Italy)', 0.97, 0.04, (value) => (readPlaces(value, CODICE) ? verdict(isItalian()) : NO)),
  ofLetters('DNI or NIE (Spain)', 0.93, 0.043, lookForDni),
  detector({ kind: 'national-id', form: 'Henkilötunnus (Finland)', alone: 0.97, chance: 0.03, look: lookForHetu }),
  ofLetters('Resident identity number (China)', 0.97, 0.02, lookForChinese),
  ofLetters('CURP (Mexico)', 0.97, 0.02, (value) => (readPlaces(value, CURP) ? verdict(isMexican()) : NO))
]
