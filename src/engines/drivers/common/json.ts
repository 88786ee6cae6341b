/** A whole number of fewer digits is always exact. */
const MANY_DIGITS = 16
const BEFORE_NUMBERS = ':,[ \t\n\r'
const AFTER_NUMBERS = ',]} \t\n\r'

/** JSON in which whole numbers beyond 2^53 are kept, as bigints. */
export function parseJson(text: string): unknown {
  if (!mayHaveLarge(text)) return JSON.parse(text)
  return (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, exact)
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

function exact(_: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value
  return /^-?\d+$/.test(source) ? BigInt(source) : value
}

/**
 * Whether a text may have a whole number in it that is too large to be exact. Of so many digits in a row one is at each place
 * that is looked at, so that most of the text is passed over: a pattern would look at all of it, and take a third as long as parsing.
 */
function mayHaveLarge(text: string): boolean {
  for (let at = MANY_DIGITS - 1; at < text.length; at += MANY_DIGITS) {
    if (!isDigit(text.charCodeAt(at))) continue
    let start = at
    while (isDigit(text.charCodeAt(start - 1))) start--
    let end = at + 1
    while (isDigit(text.charCodeAt(end))) end++
    if (end - start >= MANY_DIGITS && isWhole(text, start, end)) return true
    at = end
  }
  return false
}

const isDigit = (code: number) => code >= 48 && code <= 57

/** Whether digits may be a number by themselves, rather than a fraction or part of a text. */
function isWhole(text: string, start: number, end: number): boolean {
  const before = text.charAt(text.charAt(start - 1) === '-' ? start - 2 : start - 1)
  return BEFORE_NUMBERS.includes(before) && AFTER_NUMBERS.includes(text.charAt(end))
}
