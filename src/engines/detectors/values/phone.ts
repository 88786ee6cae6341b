import { isDigit, tableOf } from '../chars.ts'
import { detector, FORM, type Found, MATCH, NO } from '../detector.ts'

/** The shortest and longest numbers there are, with the code of the country. */
const LEAST = 8
const MOST = 15
const LONGEST = 32
const MOST_GROUPS = 8
const LEAST_BEFORE_EXTENSION = 7
const EXTENSION = /^(?:x|ext\.?|extension|#|;ext=|app\.?|durchwahl|poste|int\.?) ?\d{1,6}$/i
const EXTENSIONS = tableOf((code) => 'xXeEaAdDpPiI#;'.includes(String.fromCharCode(code)))
const mayBeExtension = (code: number): boolean => code < 128 && EXTENSIONS[code] === 1

/**
 * With a plus and the code of the country, or as North America writes it. Digits alone, with blanks and dashes as anybody
 * likes, have the form only: so have many other numbers.
 */
function look(value: string): Found {
  if (value.length < 6 || value.length > LONGEST) return NO
  const first = value.charCodeAt(0)
  if (!(first === 43 || first === 40 || isDigit(first))) return first === 84 || first === 116 ? lookAtTel(value) : NO
  // `(+49) 30 1234567`
  if (first === 40 && value.charCodeAt(1) === 43) return look(value.replace(')', '').slice(1))
  let count = 0
  let groups = 1
  let wasDigit = true
  for (let at = first === 43 ? 1 : 0; at < value.length; at++) {
    const code = value.charCodeAt(at)
    if (isDigit(code)) {
      count++
      wasDigit = true
      continue
    }
    // Blank ( ) - . /
    const isBetween = code === 32 || code === 40 || code === 41 || (code >= 45 && code <= 47)
    if (!isBetween) return count < LEAST_BEFORE_EXTENSION || !mayBeExtension(code) ? NO : lookBeforeExtension(value, at)
    if (wasDigit) groups++
    wasDigit = false
  }
  if (!wasDigit || count > MOST) return NO
  if (first === 43) return count >= LEAST && value.charCodeAt(1) !== 48 && !hasPoint(value) ? MATCH : NO
  if (isNorthAmerican(value)) return MATCH
  if (count < 6 || isDate(value)) return NO
  return groups <= MOST_GROUPS && !hasOnePoint(value) ? FORM : NO
}

/** `tel:+49-731-123`, `Tel. 0731 123456` */
function lookAtTel(value: string): Found {
  const number = value.replace(/^tel[.:]{0,2} ?/i, '')
  return number.length < value.length && !/^t/i.test(number) ? look(number) : NO
}

/** `+1 212-555-0100 x123`, `ext. 12`: what is behind the number says no more about it. */
function lookBeforeExtension(value: string, at: number): Found {
  return EXTENSION.test(value.slice(at)) ? look(value.slice(0, at).trimEnd()) : NO
}

/** `+12345678.90` is a sum of money: one point, and no other separator. */
function hasPoint(value: string): boolean {
  const point = value.indexOf('.')
  return point !== -1 && value.indexOf('.', point + 1) === -1 && !value.includes(' ') && !value.includes('-')
}

function hasOnePoint(value: string): boolean {
  const point = value.indexOf('.')
  return point !== -1 && value.indexOf('.', point + 1) === -1
}

/** `2026-01-31`, `31.01.2026`, `01/31/2026`. */
function isDate(value: string): boolean {
  if (value.length !== 10) return false
  const isSeparator = (at: number) => !isDigit(value.charCodeAt(at))
  return (isSeparator(4) && isSeparator(7)) || (isSeparator(2) && isSeparator(5))
}

/** `(212) 555-0100`, `212-555-0100`, `212.555.0100`: neither area nor exchange begins with 0 or 1. */
function isNorthAmerican(value: string): boolean {
  const isBracketed = value.charCodeAt(0) === 40
  if (value.length !== (isBracketed ? (value.charCodeAt(5) === 32 ? 14 : 13) : 12)) return false
  const area = isBracketed ? 1 : 0
  const exchange = value.length - 8
  if (isBracketed && value.charCodeAt(4) !== 41) return false
  const separator = value.charCodeAt(exchange + 3)
  if (separator !== 45 && separator !== 46) return false
  if (!isBracketed && value.charCodeAt(3) !== separator) return false
  return value.charCodeAt(area) >= 50 && value.charCodeAt(exchange) >= 50
}

export const phone = detector({
  kind: 'phone',
  form: 'Telephone number',
  alone: 0.85,
  chance: 0.05,
  leastHolding: 0,
  formCounts: true,
  look
})
