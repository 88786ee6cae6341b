import { badPosition } from '../messages.ts'

const MOST = 2n ** 64n - 1n

/** The id after this one, for entries are found from an id on; undefined where it is the last that can be. */
export function idAfter(id: string): string | undefined {
  const [, ms, sequence = '0'] = /^(\d{1,20})(?:-(\d{1,20}))?$/.exec(id) ?? []
  const [time, number] = [BigInt(ms ?? -1), BigInt(sequence)]
  if (time < 0n || time > MOST || number > MOST) throw badPosition('1763400000000-0')
  if (number < MOST) return `${time}-${number + 1n}`
  return time < MOST ? `${time + 1n}-0` : undefined
}

/** When an entry was added, unless its id was made by whoever added it. */
export function msOf(id: string): number {
  return Number(id.slice(0, id.indexOf('-')))
}
