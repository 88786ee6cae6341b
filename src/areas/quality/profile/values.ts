import { kindOf } from '../evaluation/columns.ts'

export type Shown = string | number | boolean | null

const TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?(?:\+00)?$/
const MAX_EXACT_DIGITS = 15
/** The limits of `Date`. */
const MAX_DATE_MS = 8.64e15

/** What SQL writes for numbers that are none, as the data plane writes them. */
const NO_NUMBERS: Readonly<Record<string, string>> = { nan: 'NaN', inf: 'Infinity', '-inf': '-Infinity' }

/** A value that SQL has written as a text, in the form that the data plane has for values of its type. */
export function textShown(text: string, type: string): Shown {
  switch (kindOf(type)) {
    case 'boolean':
      return text === 'true'
    case 'float':
      return NO_NUMBERS[text] ?? Number(text)
    case 'whole':
      return isExactly(text) ? Number(text) : text
    case 'time': {
      const [, date, time, digits = ''] = TIME.exec(text) ?? []
      return date === undefined ? text : `${date}T${time}.${digits.padEnd(3, '0')}Z`
    }
    default:
      return text
  }
}

export const isDecimal = (type: string): boolean => type.startsWith('DECIMAL(')

/** Whether a double holds the number. */
const isExactly = (text: string): boolean =>
  text.includes('.') ? text.replace(/\D/g, '').length <= MAX_EXACT_DIGITS : Number.isSafeInteger(Number(text))

/** A number, or a time in microseconds since 1970, as values of the type are shown; times to the millisecond. */
export function numberShown(number: number, type: string): Shown {
  if (kindOf(type) !== 'time') return number
  const ms = Math.round(number / 1000)
  if (Math.abs(ms) > MAX_DATE_MS) return null
  const iso = new Date(ms).toISOString()
  return type === 'DATE' && iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso
}
