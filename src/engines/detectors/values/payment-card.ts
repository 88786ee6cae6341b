import { areAllEqual, isDigit, numberAt, passesLuhn, readDigits } from '../chars.ts'
import { BROKEN, detector, type Found, MATCH, NO } from '../detector.ts'

const LEAST = 13
const MOST = 19

/** The first four digits that issuers have, from and to, with the lengths of their numbers. */
const ISSUERS: readonly (readonly [from: number, to: number, lengths: readonly number[]])[] = [
  [4000, 4999, [13, 16, 19]], // Visa
  [5100, 5599, [16]], // Mastercard
  [2221, 2720, [16]],
  [3400, 3499, [15]], // American Express
  [3700, 3799, [15]],
  [3000, 3059, [14]], // Diners Club
  [3600, 3699, [14, 16]],
  [3800, 3999, [14, 16]],
  [6011, 6011, [16, 19]], // Discover
  [6440, 6599, [16, 19]],
  [3528, 3589, [16]], // JCB
  [6200, 6299, [16, 17, 18, 19]], // UnionPay
  [5018, 5018, [13, 14, 15, 16, 17, 18, 19]], // Maestro
  [5020, 5020, [13, 14, 15, 16, 17, 18, 19]],
  [5038, 5038, [13, 14, 15, 16, 17, 18, 19]],
  [6304, 6304, [13, 14, 15, 16, 17, 18, 19]],
  [6759, 6763, [13, 14, 15, 16, 17, 18, 19]]
]

/** By the first four digits, the lengths that there are: a bit for each. */
const LENGTHS = new Uint8Array(10_000)
for (const [from, to, lengths] of ISSUERS) {
  const bits = lengths.reduce((all, length) => all | (1 << (length - LEAST)), 0)
  for (let prefix = from; prefix <= to; prefix++) LENGTHS[prefix] = (LENGTHS[prefix] as number) | bits
}

function look(value: string): Found {
  if (value.length < LEAST || value.length > 23 || !isDigit(value.charCodeAt(0))) return NO
  const count = readDigits(value)
  if (count < LEAST || count > MOST) return NO
  const isIssued = ((LENGTHS[numberAt(0, 4)] as number) & (1 << (count - LEAST))) !== 0
  return isIssued && passesLuhn(0, count) && !areAllEqual(count) ? MATCH : BROKEN
}

export const paymentCard = detector({ kind: 'payment-card', form: 'Card number', alone: 0.9, chance: 0.05, look })
