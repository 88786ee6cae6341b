/** Sixteen digits that are not decimals may be a whole number that a double can't hold. */
const LONG_NUMBER = /(?<![.\d])\d{16}/

const WHOLE = /^-?\d+$/

/**
 * Like `JSON.parse`, but whole numbers that a double can't hold become bigints. Throws the same errors, and a
 * `RangeError` where such numbers come with thousands of levels of nesting.
 */
export function parseJson(text: string): unknown {
  return LONG_NUMBER.test(text) ? JSON.parse(text, keepLong) : JSON.parse(text)
}

function keepLong(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  const { source } = context ?? {}
  if (typeof value !== 'number' || source === undefined) return value
  return Number.isSafeInteger(value) || !WHOLE.test(source) ? value : BigInt(source)
}
