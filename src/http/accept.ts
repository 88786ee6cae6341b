import { Problem } from '../errors.ts'

/** The media type to answer in: the one the caller likes best, the first of `offered` where it does not mind. */
export function preferredType<const T extends string>(header: string | undefined, offered: readonly [T, ...T[]]): T {
  if (header === undefined) return offered[0]
  const wishes = header
    .split(',')
    .map((part) => {
      const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return { range, q: weight === undefined ? 1 : Number(weight.slice(2)) }
    })
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q)
  for (const { range } of wishes) {
    const match = offered.find((type) => range === type || range === '*/*' || range === `${type.split('/')[0]}/*`)
    if (match !== undefined) return match
  }
  throw new Problem('not_acceptable', { members: { supported: offered } })
}
