import { DAYS_OF_YEAR, digits, LUHN_DOUBLED } from '../chars.ts'

/**
 * See `digits`. Sums of digits are written out, each with its weight, and nothing is called for a digit: so the compiler knows where each is and
 * how large a sum may become. A loop over a list of weights takes three times as long.
 */
const read = digits
const isDay = DAYS_OF_YEAR
const doubled = LUHN_DOUBLED

/** By the next digit and the product so far, which is added last: so there is least to wait for between two digits. */
const NEXT_PRODUCT = Uint8Array.from({ length: 110 }, (_, at) => {
  const sum = ((at % 11) + Math.floor(at / 11)) % 10 || 10
  return (sum * 2) % 11
})

/** ISO 7064, modulus 11 and 10: the last of eleven digits checks those before it. */
export function isCroatian(): boolean {
  let product = 10
  for (let place = 0; place < 10; place++) product = NEXT_PRODUCT[(read[place] as number) * 11 + product] as number
  return (11 - product) % 10 === read[10]
}

/**
 * The same, and of the first ten digits one comes two or three times, and the others at most once. Both are found in
 * one loop, since neither has to wait for the other.
 */
export function isGerman(): boolean {
  let product = 10
  let once = 0
  let again = 0
  for (let place = 0; place < 10; place++) {
    const digit = read[place] as number
    product = NEXT_PRODUCT[digit * 11 + product] as number
    const bit = 1 << digit
    again |= once & bit
    once |= bit
  }
  if (read[0] === 0 || (11 - product) % 10 !== read[10] || again === 0 || (again & (again - 1)) !== 0) return false
  // The one that comes again takes the places of those that do not come at all.
  const missing = once ^ 0x3ff
  const allButOne = missing & (missing - 1)
  return (allButOne & (allButOne - 1)) === 0
}

export function isNhs(): boolean {
  const first = read[0] * 10 + read[1] * 9 + read[2] * 8 + read[3] * 7 + read[4] * 6
  return (first + read[5] * 5 + read[6] * 4 + read[7] * 3 + read[8] * 2 + read[9]) % 11 === 0
}

/** The last digit counts -1, which is 10 by modulus 11. */
export function isDutch(): boolean {
  const first = read[0] * 9 + read[1] * 8 + read[2] * 7 + read[3] * 6
  return (first + read[4] * 5 + read[5] * 4 + read[6] * 3 + read[7] * 2 + read[8] * 10) % 11 === 0
}

export function isAustralian(): boolean {
  const first = read[0] + read[1] * 4 + read[2] * 3 + read[3] * 7
  return (first + read[4] * 5 + read[5] * 8 + read[6] * 6 + read[7] * 9 + read[8] * 10) % 11 === 0
}

export function isSwiss(): boolean {
  if (read[0] !== 7 || read[1] !== 5 || read[2] !== 6) return false
  const odd = read[0] + read[2] + read[4] + read[6] + read[8] + read[10] + read[12]
  return (odd + (read[1] + read[3] + read[5] + read[7] + read[9] + read[11]) * 3) % 10 === 0
}

/** The month tells the century too: 20 more for each. */
export function isPesel(): boolean {
  const month = (read[2] * 10 + read[3]) % 20
  if (isDay[month * 100 + read[4] * 10 + read[5]] === 0) return false
  const first = read[0] + read[1] * 3 + read[2] * 7 + read[3] * 9 + read[4]
  return (first + read[5] * 3 + read[6] * 7 + read[7] * 9 + read[8] + read[9] * 3 + read[10]) % 10 === 0
}

/** A 2 stands before the numbers of those who were born since 2000. */
const BORN_SINCE_2000 = 2_000_000_000 % 97

export function isBelgian(): boolean {
  if (read[2] * 10 + read[3] > 12 || read[4] * 10 + read[5] > 31) return false
  const four = read[0] * 1000 + read[1] * 100 + read[2] * 10 + read[3]
  const five = read[4] * 10_000 + read[5] * 1000 + read[6] * 100 + read[7] * 10 + read[8]
  const rest = ((four % 97) * 100_000 + five) % 97
  const check = read[9] * 10 + read[10]
  return 97 - rest === check || 97 - ((BORN_SINCE_2000 + rest) % 97) === check
}

export function isNorwegian(): boolean {
  const day = read[0] * 10 + read[1]
  if (isDay[read[2] * 1000 + read[3] * 100 + (day > 40 ? day - 40 : day)] === 0) return false
  const first =
    read[0] * 3 +
    read[1] * 7 +
    read[2] * 6 +
    read[3] +
    read[4] * 8 +
    read[5] * 9 +
    read[6] * 4 +
    read[7] * 5 +
    read[8] * 2
  const half = read[0] * 5 + read[1] * 4 + read[2] * 3 + read[3] * 2 + read[4] * 7
  const second = half + read[5] * 6 + read[6] * 5 + read[7] * 4 + read[8] * 3 + read[9] * 2
  return (first + read[9]) % 11 === 0 && (second + read[10]) % 11 === 0
}

/** For the second check each of the nine digits before the first counts once more, and the first check twice. */
export function isCpf(): boolean {
  const nine = read[0] + read[1] + read[2] + read[3] + read[4] + read[5] + read[6] + read[7] + read[8]
  const half = read[0] * 10 + read[1] * 9 + read[2] * 8 + read[3] * 7
  const first = half + read[4] * 6 + read[5] * 5 + read[6] * 4 + read[7] * 3 + read[8] * 2
  const second = first + nine + read[9] * 2
  return ((first * 10) % 11) % 10 === read[9] && ((second * 10) % 11) % 10 === read[10]
}

export function isTurkish(): boolean {
  if (read[0] === 0) return false
  const odd = read[0] + read[2] + read[4] + read[6] + read[8]
  const even = read[1] + read[3] + read[5] + read[7]
  const tenth = (((odd * 7 - even) % 10) + 10) % 10
  return tenth === read[9] && (odd + even + read[9]) % 10 === read[10]
}

/** There are numbers of the months 13 to 15, for those of whom it is not known when they were born. */
export function isAustrian(): boolean {
  const sum =
    read[0] * 3 +
    read[1] * 7 +
    read[2] * 9 +
    read[4] * 5 +
    read[5] * 8 +
    read[6] * 4 +
    read[7] * 2 +
    read[8] +
    read[9] * 6
  const month = read[6] * 10 + read[7]
  if (read[0] === 0 || sum % 11 !== read[3] || month > 15) return false
  return isDay[Math.min(month, 12) * 100 + read[4] * 10 + read[5]] === 1
}

export function isRomanian(): boolean {
  if (read[0] === 0 || isDay[read[3] * 1000 + read[4] * 100 + read[5] * 10 + read[6]] === 0) return false
  const half = read[0] * 2 + read[1] * 7 + read[2] * 9 + read[3] + read[4] * 4 + read[5] * 6
  const check = (half + read[6] * 3 + read[7] * 5 + read[8] * 8 + read[9] * 2 + read[10] * 7 + read[11] * 9) % 11
  return (check === 10 ? 1 : check) === read[12]
}

export function isKorean(): boolean {
  if (isDay[read[2] * 1000 + read[3] * 100 + read[4] * 10 + read[5]] === 0 || read[6] > 8) return false
  const half = read[0] * 2 + read[1] * 3 + read[2] * 4 + read[3] * 5 + read[4] * 6 + read[5] * 7
  const sum = half + read[6] * 8 + read[7] * 9 + read[8] * 2 + read[9] * 3 + read[10] * 4 + read[11] * 5
  return (11 - (sum % 11)) % 10 === read[12]
}

/** By modulus 11, digits count 1 and -1 in turn from the ninth. */
export function isCzech(): boolean {
  const month = (read[2] * 10 + read[3]) % 50
  if (isDay[(month > 20 ? month - 20 : month) * 100 + read[4] * 10 + read[5]] === 0) return false
  const rest = (44 + read[0] + read[2] + read[4] + read[6] + read[8] - read[1] - read[3] - read[5] - read[7]) % 11
  return rest === read[9] || (rest === 10 && read[9] === 0)
}

export function isSocialSecurity(): boolean {
  const area = read[0] * 100 + read[1] * 10 + read[2]
  if (area === 0 || area === 666 || area >= 900) return false
  return (read[3] | read[4]) !== 0 && (read[5] | read[6] | read[7] | read[8]) !== 0
}

export const isDanish = (): boolean => isDay[read[2] * 1000 + read[3] * 100 + read[0] * 10 + read[1]] === 1

/** Days may be 60 more. */
export function isSwedish(): boolean {
  const day = read[4] * 10 + read[5]
  if (isDay[read[2] * 1000 + read[3] * 100 + (day > 60 ? day - 60 : day)] === 0) return false
  const twice =
    (doubled[read[0]] as number) +
    (doubled[read[2]] as number) +
    (doubled[read[4]] as number) +
    (doubled[read[6]] as number) +
    (doubled[read[8]] as number)
  return (twice + read[1] + read[3] + read[5] + read[7] + read[9]) % 10 === 0
}

/** The same with the century before it. */
export function isLongSwedish(): boolean {
  const century = read[0] * 10 + read[1]
  const day = read[6] * 10 + read[7]
  if (isDay[read[4] * 1000 + read[5] * 100 + (day > 60 ? day - 60 : day)] === 0) return false
  const twice =
    (doubled[read[2]] as number) +
    (doubled[read[4]] as number) +
    (doubled[read[6]] as number) +
    (doubled[read[8]] as number) +
    (doubled[read[10]] as number)
  return (century === 19 || century === 20) && (twice + read[3] + read[5] + read[7] + read[9] + read[11]) % 10 === 0
}

export function isCanadian(): boolean {
  if (read[0] === 0 || read[0] === 8) return false
  const twice =
    (doubled[read[1]] as number) +
    (doubled[read[3]] as number) +
    (doubled[read[5]] as number) +
    (doubled[read[7]] as number)
  return (twice + read[0] + read[2] + read[4] + read[6] + read[8]) % 10 === 0
}

export function isSouthAfrican(): boolean {
  if (isDay[read[2] * 1000 + read[3] * 100 + read[4] * 10 + read[5]] === 0 || read[10] > 2) return false
  const half = (doubled[read[1]] as number) + (doubled[read[3]] as number) + (doubled[read[5]] as number)
  const twice = half + (doubled[read[7]] as number) + (doubled[read[9]] as number) + (doubled[read[11]] as number)
  return (twice + read[0] + read[2] + read[4] + read[6] + read[8] + read[10] + read[12]) % 10 === 0
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

const PENTAGON = Uint8Array.from({ length: 100 }, (_, at) => pentagon(Math.floor(at / 10), at % 10))

/** The twelve digits are checked in two halves, of which neither waits for the other: they are put together last. */
export function isIndian(): boolean {
  if (read[0] < 2) return false
  let last = 0
  let first = 0
  for (let place = 0; place < 6; place++) {
    last = VERHOEFF[place * 100 + (read[11 - place] as number) * 10 + last] as number
    first = VERHOEFF[((place + 6) & 7) * 100 + (read[5 - place] as number) * 10 + first] as number
  }
  return PENTAGON[last * 10 + first] === 0
}
