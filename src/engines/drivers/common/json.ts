const LARGE_NUMBER = /\d{16}/

/** JSON in which whole numbers beyond 2^53 are kept, as bigints. */
export function parseJson(text: string): unknown {
  if (!LARGE_NUMBER.test(text)) return JSON.parse(text)
  return (JSON.parse as (text: string, reviver: Reviver) => unknown)(text, exact)
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

function exact(_: string, value: unknown, { source }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value
  return /^-?\d+$/.test(source) ? BigInt(source) : value
}
