import { areAllEqual, digits, isDay, isDigit, numberAt, passesLuhn, readDigits, weighted } from '../chars.ts'
import { BROKEN, type Detector, detector, FORM, type Found, MATCH, NO } from '../detector.ts'

/** A number with separators or without. Each has a function of its own, which is faster than one that is told what to do. */
const ofDigits = (form: string, alone: number, chance: number, look: Detector['look']): Detector =>
  detector({ kind: 'national-id', form, alone, chance, formCounts: true, look })

/** Whether a value has so many digits; those are to be checked then. */
function hasDigits(value: string, count: number): boolean {
  return value.length >= count && value.length <= count + 4 && readDigits(value) === count
}

const verdict = (count: number, isRight: boolean): Found => (isRight && !areAllEqual(count) ? MATCH : BROKEN)
/** Where a number is known only with its separators: without them it has the form. */
const writtenSo = (found: Found, isWritten: boolean): Found => (found === MATCH && !isWritten ? FORM : found)

/** See `digits`. */
const read = digits
const at = (place: number): number => read[place] as number
/** Whether two digits are a month and two a day. */
const isDayAt = (month: number, day: number) => isDay(numberAt(month, 2), numberAt(day, 2))
const isSeparatorAt = (value: string, place: number) => !isDigit(value.charCodeAt(place))

const PESEL_WEIGHTS = [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]
/** Weights for two sums at once: the second sum is in the bits from 16 on. */
const twoOf = (first: readonly number[], second: readonly number[]): readonly number[] =>
  second.map((weight, place) => (first[place] ?? 0) + (weight << 16))
const NORWEGIAN_WEIGHTS = twoOf([3, 7, 6, 1, 8, 9, 4, 5, 2, 1], [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1])
const CPF_WEIGHTS = twoOf([10, 9, 8, 7, 6, 5, 4, 3, 2], [11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
const AUSTRIAN_WEIGHTS = [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]
const ROMANIAN_WEIGHTS = [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]
const KOREAN_WEIGHTS = [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]
const NHS_WEIGHTS = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
const BSN_WEIGHTS = [9, 8, 7, 6, 5, 4, 3, 2]
const AHV_WEIGHTS = [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]
const TFN_WEIGHTS = [1, 4, 3, 7, 5, 8, 6, 9, 10]

/** By the next digit and the product so far, which is added last: so there is least to wait for between two digits. */
const NEXT_PRODUCT = Uint8Array.from({ length: 110 }, (_, at) => {
  const sum = ((at % 11) + Math.floor(at / 11)) % 10 || 10
  return (sum * 2) % 11
})

/** ISO 7064, modulus 11 and 10: the last of so many digits checks those before it. */
function passesMod11And10(count: number): boolean {
  let product = 10
  for (let place = 0; place < count - 1; place++) product = NEXT_PRODUCT[at(place) * 11 + product] as number
  return (11 - product) % 10 === at(count - 1)
}

/**
 * The last of eleven digits checks the ten before it, of which one comes two or three times, and the others at most once. Both are found in
 * one loop, since neither has to wait for the other.
 */
function isGerman(): boolean {
  let product = 10
  let once = 0
  let again = 0
  for (let place = 0; place < 10; place++) {
    const digit = at(place)
    product = NEXT_PRODUCT[digit * 11 + product] as number
    const bit = 1 << digit
    again |= once & bit
    once |= bit
  }
  if (at(0) === 0 || (11 - product) % 10 !== at(10) || again === 0 || (again & (again - 1)) !== 0) return false
  // The one that comes again takes the places of those that do not come at all.
  const missing = once ^ 0x3ff
  const allButOne = missing & (missing - 1)
  return (allButOne & (allButOne - 1)) === 0
}

function isPesel(): boolean {
  const month = numberAt(2, 2) % 20
  return isDay(month, numberAt(4, 2)) && weighted(PESEL_WEIGHTS) % 10 === 0
}

/** A 2 stands before the numbers of those who were born since 2000. */
const BORN_SINCE_2000 = 2_000_000_000 % 97

function isBelgian(): boolean {
  if (numberAt(2, 2) > 12 || numberAt(4, 2) > 31) return false
  const rest = numberAt(0, 9) % 97
  const check = numberAt(9, 2)
  return 97 - rest === check || 97 - ((BORN_SINCE_2000 + rest) % 97) === check
}

function isNorwegian(): boolean {
  const day = numberAt(0, 2)
  if (!isDay(numberAt(2, 2), day > 40 ? day - 40 : day)) return false
  const sums = weighted(NORWEGIAN_WEIGHTS)
  return (sums & 0xffff) % 11 === 0 && (sums >> 16) % 11 === 0
}

function isCpf(): boolean {
  const sums = weighted(CPF_WEIGHTS)
  const first = (((sums & 0xffff) * 10) % 11) % 10
  const second = (((sums >> 16) * 10) % 11) % 10
  return first === at(9) && second === at(10)
}

function isTurkish(): boolean {
  if (at(0) === 0) return false
  const odd = at(0) + at(2) + at(4) + at(6) + at(8)
  const even = at(1) + at(3) + at(5) + at(7)
  const tenth = (((odd * 7 - even) % 10) + 10) % 10
  return tenth === at(9) && (odd + even + at(9)) % 10 === at(10)
}

function isAustrian(): boolean {
  const check = weighted(AUSTRIAN_WEIGHTS) % 11
  return at(0) !== 0 && check === at(3) && numberAt(6, 2) <= 15 && isDay(Math.min(numberAt(6, 2), 12), numberAt(4, 2))
}

function isRomanian(): boolean {
  if (at(0) === 0 || !isDayAt(3, 5)) return false
  const check = weighted(ROMANIAN_WEIGHTS) % 11
  return (check === 10 ? 1 : check) === at(12)
}

function isKorean(): boolean {
  if (!isDayAt(2, 4) || at(6) > 8) return false
  return (11 - (weighted(KOREAN_WEIGHTS) % 11)) % 10 === at(12)
}

function isCzech(): boolean {
  const month = numberAt(2, 2) % 50
  if (!isDay(month > 20 ? month - 20 : month, numberAt(4, 2))) return false
  const rest = numberAt(0, 9) % 11
  return (rest * 10 + at(9)) % 11 === 0 || (rest === 10 && at(9) === 0)
}

function isSocialSecurity(): boolean {
  const area = numberAt(0, 3)
  return area !== 0 && area !== 666 && area < 900 && numberAt(3, 2) !== 0 && numberAt(5, 4) !== 0
}

const swedishDay = (from: number) => {
  const day = numberAt(from + 2, 2)
  return isDay(numberAt(from, 2), day > 60 ? day - 60 : day)
}

const VERHOEFF_TURN = [
  [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [1, 5, 7, 6, 2, 8, 3, 0, 9, 4],
  [5, 8, 0, 3, 7, 9, 6, 1, 4, 2],
  [8, 9, 1, 6, 0, 4, 3, 5, 2, 7],
  [9, 4, 5, 3, 1, 2, 6, 8, 7, 0],
  [4, 2, 8, 6, 5, 7, 3, 9, 0, 1],
  [2, 7, 9, 3, 8, 0, 6, 4, 1, 5],
  [7, 0, 4, 6, 9, 1, 3, 2, 5, 8]
] as const

/** How two symmetries of a pentagon follow each other: turns are 0 to 4, reflections 5 to 9. */
function pentagon(first: number, second: number): number {
  if (first < 5) return second < 5 ? (first + second) % 5 : 5 + ((first + second - 5) % 5)
  return second < 5 ? 5 + ((first - 5 - second + 5) % 5) : (first - second + 5) % 5
}

/** What a check becomes by the next digit: by the place of that digit, the digit, and the check so far. */
const VERHOEFF = Uint8Array.from({ length: 8 * 100 }, (_, at) => {
  const turned = VERHOEFF_TURN[Math.floor(at / 100)]?.[Math.floor(at / 10) % 10] as number
  return pentagon(at % 10, turned)
})

function passesVerhoeff(count: number): boolean {
  let check = 0
  for (let place = 0; place < count; place++) {
    check = VERHOEFF[(place & 7) * 100 + at(count - 1 - place) * 10 + check] as number
  }
  return check === 0
}

export const BY_DIGITS: readonly Detector[] = [
  ofDigits('SSN (United States)', 0.75, 0.5, (value) =>
    hasDigits(value, 9)
      ? writtenSo(
          verdict(9, isSocialSecurity()),
          value.length === 11 && isSeparatorAt(value, 3) && isSeparatorAt(value, 6)
        )
      : NO
  ),
  ofDigits('NHS number (United Kingdom)', 0.6, 0.09, (value) =>
    hasDigits(value, 10) ? verdict(10, weighted(NHS_WEIGHTS) % 11 === 0) : NO
  ),
  ofDigits('Steuer-ID (Germany)', 0.9, 0.03, (value) => (hasDigits(value, 11) ? verdict(11, isGerman()) : NO)),
  ofDigits('BSN (Netherlands)', 0.6, 0.09, (value) =>
    hasDigits(value, 9) ? verdict(9, (((weighted(BSN_WEIGHTS) - at(8)) % 11) + 11) % 11 === 0) : NO
  ),
  ofDigits('Rijksregisternummer (Belgium)', 0.95, 0.01, (value) =>
    hasDigits(value, 11) ? verdict(11, isBelgian()) : NO
  ),
  ofDigits('PESEL (Poland)', 0.92, 0.03, (value) => (hasDigits(value, 11) ? verdict(11, isPesel()) : NO)),
  ofDigits('Personnummer (Sweden)', 0.9, 0.03, (value) =>
    hasDigits(value, 10) ? verdict(10, swedishDay(2) && passesLuhn(0, 10)) : NO
  ),
  ofDigits('Personnummer (Sweden)', 0.92, 0.01, (value) =>
    hasDigits(value, 12)
      ? verdict(12, (numberAt(0, 2) === 19 || numberAt(0, 2) === 20) && swedishDay(4) && passesLuhn(2, 10))
      : NO
  ),
  ofDigits('CPR (Denmark)', 0.7, 0.3, (value) =>
    hasDigits(value, 10) ? writtenSo(verdict(10, isDayAt(2, 0)), value.length === 11 && isSeparatorAt(value, 6)) : NO
  ),
  ofDigits('Fødselsnummer (Norway)', 0.95, 0.01, (value) => (hasDigits(value, 11) ? verdict(11, isNorwegian()) : NO)),
  ofDigits('CPF (Brazil)', 0.93, 0.01, (value) => (hasDigits(value, 11) ? verdict(11, isCpf()) : NO)),
  ofDigits('Aadhaar (India)', 0.75, 0.1, (value) =>
    hasDigits(value, 12) ? verdict(12, at(0) > 1 && passesVerhoeff(12)) : NO
  ),
  ofDigits('SIN (Canada)', 0.6, 0.1, (value) =>
    hasDigits(value, 9) ? verdict(9, at(0) !== 0 && at(0) !== 8 && passesLuhn(0, 9)) : NO
  ),
  ofDigits('AHV number (Switzerland)', 0.95, 0.01, (value) =>
    hasDigits(value, 13) ? verdict(13, numberAt(0, 3) === 756 && weighted(AHV_WEIGHTS) % 10 === 0) : NO
  ),
  ofDigits('Sozialversicherungsnummer (Austria)', 0.88, 0.02, (value) =>
    hasDigits(value, 10) ? verdict(10, isAustrian()) : NO
  ),
  ofDigits('TC Kimlik (Turkey)', 0.92, 0.01, (value) => (hasDigits(value, 11) ? verdict(11, isTurkish()) : NO)),
  ofDigits('ID number (South Africa)', 0.9, 0.03, (value) =>
    hasDigits(value, 13) ? verdict(13, isDayAt(2, 4) && at(10) < 3 && passesLuhn(0, 13)) : NO
  ),
  ofDigits('CNP (Romania)', 0.95, 0.02, (value) => (hasDigits(value, 13) ? verdict(13, isRomanian()) : NO)),
  ofDigits('RRN (South Korea)', 0.9, 0.02, (value) => (hasDigits(value, 13) ? verdict(13, isKorean()) : NO)),
  ofDigits('TFN (Australia)', 0.6, 0.09, (value) =>
    hasDigits(value, 9) ? verdict(9, weighted(TFN_WEIGHTS) % 11 === 0) : NO
  ),
  ofDigits('Rodné číslo (Czechia, Slovakia)', 0.88, 0.02, (value) =>
    hasDigits(value, 10) ? verdict(10, isCzech()) : NO
  ),
  ofDigits('OIB (Croatia)', 0.6, 0.1, (value) => (hasDigits(value, 11) ? verdict(11, passesMod11And10(11)) : NO))
]
