import { Problem } from '../errors.ts'

interface Wish {
  readonly range: string
  readonly q: number
}

/** The media type to answer in: the one the caller likes best, the first of `offered` where it does not mind. */
export function preferredType<const T extends string>(header: string | undefined, offered: readonly [T, ...T[]]): T {
  if (header === undefined) return offered[0]
  const wishes = header.split(',').map(readWish)
  let best: T | undefined
  let bestQ = 0
  for (const type of offered) {
    const q = weightOf(type, wishes)
    if (q > bestQ) {
      best = type
      bestQ = q
    }
  }
  if (best === undefined) throw new Problem('not_acceptable', { members: { supported: offered } })
  return best
}

function readWish(part: string): Wish {
  const [range = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return { range, q: weight === undefined ? 1 : Number(weight.slice(2)) }
}

/** Of all ranges that cover the type, the closest one counts: it may also say that this type is not wanted. */
function weightOf(type: string, wishes: readonly Wish[]): number {
  for (const range of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const wish = wishes.find((candidate) => candidate.range === range)
    if (wish !== undefined) return wish.q
  }
  return 0
}
