import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { DETECTORS } from '../all.ts'
import { BROKEN, MATCH } from '../detector.ts'

/** The published rules in the plainest way: lists of weights, and large numbers by division. */
const digitsOf = (text: string) => [...text].map((character) => Number.parseInt(character, 36))
const sum = (text: string, weights: readonly number[]) =>
  weights.reduce((total, weight, place) => total + weight * (digitsOf(text)[place] as number), 0)
const rest = (text: string, by: number) => Number(BigInt(text) % BigInt(by))
const number = (text: string, from: number, count = 2) => Number(text.slice(from, from + count))
const isDay = (month: number, day: number) => {
  const date = new Date(Date.UTC(2024, month - 1, day))
  return month >= 1 && month <= 12 && day >= 1 && date.getUTCMonth() === month - 1
}
const luhn = (text: string) =>
  digitsOf(text)
    .reverse()
    .reduce((total, digit, place) => total + (place % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0) %
    10 ===
  0
const shifted = (day: number, by: number) => (day > by ? day - by : day)
/** ISO 7064, modulus 11 and 10. */
const mod11And10 = (text: string) => {
  const product = digitsOf(text.slice(0, -1)).reduce((before, digit) => (((before + digit) % 10 || 10) * 2) % 11, 10)
  return (11 - product) % 10 === Number(text.at(-1))
}

const RULES: Readonly<Record<string, readonly [length: number, isRight: (text: string) => boolean]>> = {
  NHS: [10, (text) => sum(text, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0],
  BSN: [9, (text) => sum(text, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0],
  TFN: [9, (text) => sum(text, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0],
  SIN: [9, (text) => !/^[08]/.test(text) && luhn(text)],
  AHV: [13, (text) => text.startsWith('756') && sum(text, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0],
  OIB: [11, mod11And10],
  Rijksregisternummer: [
    11,
    (text) =>
      number(text, 2) <= 12 &&
      number(text, 4) <= 31 &&
      ['', '2'].some((before) => 97 - rest(`${before}${text.slice(0, 9)}`, 97) === number(text, 9))
  ],
  PESEL: [
    11,
    (text) => isDay(number(text, 2) % 20, number(text, 4)) && sum(text, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0
  ],
  Fødselsnummer: [
    11,
    (text) =>
      isDay(number(text, 2), shifted(number(text, 0), 40)) &&
      sum(text, [3, 7, 6, 1, 8, 9, 4, 5, 2, 1]) % 11 === 0 &&
      sum(text, [5, 4, 3, 2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0
  ],
  CPF: [
    11,
    (text) =>
      ((sum(text, [10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10 === number(text, 9, 1) &&
      ((sum(text, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]) * 10) % 11) % 10 === number(text, 10, 1)
  ],
  Sozialversicherungsnummer: [
    10,
    (text) =>
      text[0] !== '0' &&
      sum(text, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === number(text, 3, 1) &&
      number(text, 6) <= 15 &&
      isDay(Math.min(number(text, 6), 12), number(text, 4))
  ],
  'ID number (South Africa)': [
    13,
    (text) => isDay(number(text, 2), number(text, 4)) && number(text, 10, 1) < 3 && luhn(text)
  ],
  CNP: [
    13,
    (text) =>
      text[0] !== '0' &&
      isDay(number(text, 3), number(text, 5)) &&
      String(sum(text, [2, 7, 9, 1, 4, 6, 3, 5, 8, 2, 7, 9]) % 11).replace('10', '1') === text.at(-1)
  ],
  RRN: [
    13,
    (text) =>
      isDay(number(text, 2), number(text, 4)) &&
      number(text, 6, 1) <= 8 &&
      (11 - (sum(text, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10 === number(text, 12, 1)
  ],
  Rodné: [
    10,
    (text) =>
      isDay(shifted(number(text, 2) % 50, 20), number(text, 4)) &&
      (rest(text, 11) === 0 || (rest(text.slice(0, 9), 11) === 10 && text.endsWith('0')))
  ],
  'Steuer-ID': [
    11,
    (text) => {
      const times = [...Map.groupBy(text.slice(0, 10), (digit) => digit).values()].map(({ length }) => length)
      const more = times.filter((count) => count > 1)
      return text[0] !== '0' && mod11And10(text) && more.length === 1 && (more[0] as number) <= 3
    }
  ]
}

/** Ids with letters: their digits, how they are written, what may be in the last place, and which of these is right. */
interface Alphanumeric {
  readonly count: number
  readonly written: (digits: string) => string
  readonly last: string
  readonly right: (digits: string) => string | undefined
}

const WITH_LETTERS: Readonly<Record<string, Alphanumeric>> = {
  DNI: {
    count: 8,
    written: (digits) => digits,
    last: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    right: (digits) => 'TRWAGMYFPDXBNJZSQVHLCKE'[rest(digits, 23)]
  },
  Henkilötunnus: {
    count: 9,
    written: (digits) => `${digits.slice(0, 6)}-${digits.slice(6)}`,
    last: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    right: (digits) =>
      isDay(number(digits, 2), number(digits, 0)) ? '0123456789ABCDEFHJKLMNPRSTUVWXY'[rest(digits, 31)] : undefined
  },
  Resident: {
    count: 17,
    written: (digits) => digits,
    last: '0123456789X',
    right: (digits) => {
      const year = number(digits, 6, 4)
      if (year < 1880 || year > 2099 || !isDay(number(digits, 10), number(digits, 12))) return undefined
      return '10X98765432'[sum(digits, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11]
    }
  }
}

const digitsWithDate = (count: number) =>
  fc
    .tuple(
      fc.array(fc.nat(9), { minLength: count, maxLength: count }),
      fc.nat(count),
      fc.constantFrom(...['0101', '1231', '3112', '0229', '0230', '0013', '1301', '6101', '756', '19840229', '20'])
    )
    .map(([digits, at, part]) => `${digits.join('').slice(0, at)}${part}${digits.join('').slice(at)}`.slice(0, count))
const lookAt = (form: string, text: string) => DETECTORS.find((detector) => detector.form.startsWith(form))?.look(text)

describe('rules of national ids', () => {
  it('hold digits to their check digits as plain sums do', () => {
    for (const [form, [count, isRight]] of Object.entries(RULES)) {
      let matches = 0
      fc.assert(
        fc.property(digitsWithDate(count - 2), (beginning) => {
          for (let end = 0; end < 100; end++) {
            const text = `${beginning}${String(end).padStart(2, '0')}`
            const isMatch = isRight(text) && new Set(text).size > 1
            if (isMatch) matches++
            assert.equal(lookAt(form, text), isMatch ? MATCH : BROKEN, `${form}: ${text}`)
          }
        }),
        { seed: 1, numRuns: 100 }
      )
      assert.ok(matches > 0, form)
    }
  })

  it('hold letters to what the digits before them say', () => {
    for (const [form, { count, written, last, right }] of Object.entries(WITH_LETTERS)) {
      let matches = 0
      fc.assert(
        fc.property(digitsWithDate(count), (beginning) => {
          // The longest of these begins with no 0.
          const digits = beginning.replace(/^0(?=.{9})/, '1')
          for (const check of last) {
            const isMatch = right(digits) === check
            if (isMatch) matches++
            const text = `${written(digits)}${check}`
            assert.equal(lookAt(form, text), isMatch ? MATCH : BROKEN, `${form}: ${text}`)
            assert.equal(lookAt(form, text.toLowerCase()), isMatch ? MATCH : BROKEN, `${form}: ${text}`)
          }
        }),
        { seed: 1, numRuns: 300 }
      )
      assert.ok(matches > 0, form)
    }
  })
})
