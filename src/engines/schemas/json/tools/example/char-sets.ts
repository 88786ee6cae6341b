import type { Random } from '../../../format.ts'

/** Ranges of code points, both ends included. */
export type CharSet = readonly (readonly [from: number, to: number])[]

export const PRINTABLE: CharSet = [[0x20, 0x7e]]
export const DIGITS: CharSet = [[0x30, 0x39]]
export const SPACES: CharSet = [[0x20, 0x20]]
const UPPER: CharSet = [[0x41, 0x5a]]
const LOWER: CharSet = [[0x61, 0x7a]]
export const WORD: CharSet = [...LOWER, ...UPPER, ...DIGITS, [0x5f, 0x5f]]
/** What is printed, and Latin letters for sets that leave all of ASCII out. */
const EVERYDAY: CharSet = [...PRINTABLE, [0xc0, 0x17f]]

const PROPERTIES: ReadonlyMap<string, CharSet> = new Map([
  ['L', [...LOWER, ...UPPER]],
  ['Letter', [...LOWER, ...UPPER]],
  ['Alphabetic', [...LOWER, ...UPPER]],
  ['Lu', UPPER],
  ['Uppercase_Letter', UPPER],
  ['Ll', LOWER],
  ['Lowercase_Letter', LOWER],
  ['N', DIGITS],
  ['Number', DIGITS],
  ['Nd', DIGITS],
  ['P', [[0x2c, 0x2e]]],
  ['Punctuation', [[0x2c, 0x2e]]],
  ['Zs', SPACES],
  ['Script=Latin', [...LOWER, ...UPPER]]
])

/** Some of what has a property of Unicode. */
export function classOf(property: string): CharSet | undefined {
  return PROPERTIES.get(property)
}

/** Everyday characters that are not in the set. */
export function complement(set: CharSet): CharSet {
  let left: (readonly [number, number])[] = [...EVERYDAY]
  for (const [from, to] of set) {
    left = left.flatMap(([low, high]): [number, number][] => {
      const below: [number, number] = [low, Math.min(high, from - 1)]
      const above: [number, number] = [Math.max(low, to + 1), high]
      return [below, above].filter(([start, end]) => start <= end)
    })
  }
  return left
}

/** A character of the set, if possible one that people type; undefined where the set is empty. */
export function charOf(set: CharSet, random: Random): string | undefined {
  const typed = set.map(([from, to]) => [Math.max(from, 0x20), Math.min(to, 0x7e)] as const)
  const ranges = typed.some(([from, to]) => from <= to) ? typed.filter(([from, to]) => from <= to) : set
  const range = ranges[Math.floor(random() * ranges.length)]
  if (range === undefined) return undefined
  const [from, to] = range
  return String.fromCodePoint(from + Math.floor(random() * (to - from + 1)))
}
