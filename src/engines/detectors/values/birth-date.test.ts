import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { FORM, type Found, NO } from '../detector.ts'
import { birthDate } from './birth-date.ts'

const MONTHS = [
  'January',
  'Feb',
  'märz',
  'AVRIL',
  'mayo',
  'giugno',
  'lipca',
  'srpna',
  'syyskuuta',
  'Ekim',
  'ноября',
  'Δεκεμβρίου'
]
const BESIDE = ['de', 'th', 'of', 'г']

const isDay = (month: number, day: number) => {
  const date = new Date(Date.UTC(2024, month - 1, day))
  return month >= 1 && month <= 12 && day >= 1 && date.getUTCMonth() === month - 1
}
const isYear = (digits: string) => digits.length === 2 || (digits.length === 4 && /^(?:19|20)/.test(digits))
const isShort = (digits: string) => digits.length <= 2
const areDay = (month: string, day: string) => isShort(month) && isShort(day) && isDay(Number(month), Number(day))

/** What is a date, written in the plainest way: three parts, with up to two separators between them, and the time of midnight somewhere. */
function plainLook(value: string): Found {
  if (value.length < 6 || value.length > 40) return NO
  if (!/^\d/.test(value) && !/\d$/.test(value)) return NO
  if (/^\d{8}$/.test(value)) {
    const [, year = '', first = '', second = ''] = /^(....)(..)(..)$/.exec(value) as RegExpExecArray
    const [, day = '', month = '', last = ''] = /^(..)(..)(....)$/.exec(value) as RegExpExecArray
    return (isYear(year) && areDay(first, second)) || (isYear(last) && areDay(month, day)) ? FORM : NO
  }
  const ends = [
    /^[T ]\d\d?:[03]0(?::00(?:[.,]0+)?)?(?: ?[AP]M)?(?:Z| ?[+-]\d\d(?::?[03]0)?)?$/i,
    /^\.? ?(?:[年日일]|г\.?|р\.?)?$/
  ]
  const pieces = value.match(/\d+|[年月日년월일]|(?:(?![年月日년월일])\p{L})+|[^\d\p{L}]/gu) ?? []
  const parts: string[] = []
  let between = 0
  let length = 0
  for (const piece of pieces) {
    if (parts.length === 3) break
    length += piece.length
    if (/^[ ',./年月日년월일-]$/.test(piece)) {
      if (length === piece.length || ++between > 2) return NO
      continue
    }
    between = 0
    if (/^\d{1,4}$/.test(piece) || MONTHS.includes(piece)) parts.push(piece)
    else if (!BESIDE.includes(piece)) return NO
  }
  const rest = value.slice(length)
  if (parts.length < 3 || (rest !== '' && !ends.some((end) => end.test(rest)))) return NO
  return areDate(parts) ? FORM : NO
}

function areDate(parts: readonly string[]): boolean {
  const named = parts.findIndex((part) => MONTHS.includes(part))
  if (named !== -1) {
    const [one = '', other = ''] = parts.filter((_, at) => at !== named)
    const isDayOfMonth = (digits: string) => isShort(digits) && Number(digits) >= 1 && Number(digits) <= 31
    if (MONTHS.includes(one) || MONTHS.includes(other)) return false
    return (isYear(other) && isDayOfMonth(one)) || (isYear(one) && isDayOfMonth(other))
  }
  const [first = '', second = '', third = ''] = parts
  return (isYear(third) && (areDay(first, second) || areDay(second, first))) || (isYear(first) && areDay(second, third))
}

const digits = (most: number) => fc.nat(most).map(String)
const piece = fc.oneof(
  fc.constantFrom('1972', '2004', '1899', '05', '5', '10', '31', '29', '02', '72', '13', '00'),
  digits(31),
  fc.constantFrom(...MONTHS, ...BESIDE, 'x', 'Room', '12345', '19721005', '05101972')
)
const separator = fc.constantFrom('-', '-', '.', '.', '/', ' ', '. ', ', ', '', '年', '月', '일 ', '--', ':', '  .')
const ending = fc.constantFrom(
  '',
  '',
  '',
  ' 00:00:00',
  'T22:00:00.000Z',
  ' 12:00:00 AM',
  ' 10:31:00',
  '日',
  ' г.',
  'T00:00:00+02:00',
  '.',
  '!'
)
const text = fc
  .tuple(fc.array(fc.tuple(piece, separator), { maxLength: 3 }), piece, ending)
  .map(([parts, last, end]) => `${parts.flat().join('')}${last}${end}`)

describe('dates of birth', () => {
  it('are what they are by the plain rule', () => {
    const seen = new Set<Found>()
    fc.assert(
      fc.property(text, (value) => {
        const found = birthDate.look(value)
        seen.add(found)
        assert.equal(found, plainLook(value), JSON.stringify(value))
      }),
      { seed: 1, numRuns: 20_000 }
    )
    assert.deepEqual([...seen].sort(), [NO, FORM])
  })

  it('are known in each of the ways to write them', () => {
    const dates = [
      ...['1972-10-05', '05.10.1972', '10/05/1972', '19721005', '05101972', '5-Oct-1972', '05OCT1972', '5.3.72'],
      ...[
        'October 5th, 1972',
        '5. März 1972',
        '5 de octubre de 1972',
        '12 aralık 1980',
        '15 Μαΐου 1980',
        '5 мая 1972 г.'
      ],
      ...['1972年10月5日', '1972년 10월 5일', '1972. 10. 5.', '1972-10-05 00:00:00', '1972-10-04T22:00:00.000Z']
    ]
    for (const date of dates) assert.equal(birthDate.look(date), FORM, date)
    const others = ['1.2.3.4', '1972', '10:30:00', '12345678', '1972-10-05 10:31:00', 'Room 12 1990', '2021-02-30']
    for (const other of others) assert.equal(birthDate.look(other), NO, other)
  })
})
