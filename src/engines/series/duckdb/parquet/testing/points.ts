import fc from 'fast-check'
import { NS_PER_DAY } from '../../../parse/points.ts'

/** A row of a sealed file; absent and null are both undefined. */
export interface Row {
  readonly id: number
  readonly ns: number
  readonly value: number | undefined
  readonly text: string | undefined
  readonly quality: number | undefined
}

export interface Shape {
  readonly tags: number
  readonly pointsPerTag: number
  readonly time: 'regular' | 'jittered' | 'dense' | 'whole day'
  readonly value: 'constant' | 'rounded' | 'random' | 'extreme' | 'by tag' | 'some'
  readonly text: 'none' | 'few' | 'same' | 'each' | 'long' | 'unicode' | 'by tag'
  readonly quality: 'none' | 'good' | 'some' | 'mixed'
  readonly seed: number
}

export const shapes: fc.Arbitrary<Shape> = fc.record({
  tags: fc.integer({ min: 1, max: 40 }),
  pointsPerTag: fc.integer({ min: 1, max: 200 }),
  time: fc.constantFrom('regular', 'jittered', 'dense', 'whole day'),
  value: fc.constantFrom('constant', 'rounded', 'random', 'extreme', 'by tag', 'some'),
  text: fc.constantFrom('none', 'few', 'same', 'each', 'long', 'unicode', 'by tag'),
  quality: fc.constantFrom('none', 'good', 'some', 'mixed'),
  seed: fc.integer({ min: 1, max: 2 ** 31 - 1 })
})

const EXTREMES = [0, -0, 5e-324, -5e-324, 2.2250738585072014e-308, Number.MAX_VALUE, -Number.MAX_VALUE, 2 ** 53, 1e-310]
const UNICODE = ['', 'ä', '漢字', '🌊🌊', 'a\u0000b', '"\\\n', '\u{10ffff}', '\ufeffx']

/** Rows in the order of a file: tag by tag, each sorted by time. Ids do not ascend. */
export function rowsOf(shape: Shape): Row[] {
  const random = randomFrom(shape.seed)
  const rows: Row[] = []
  for (let tag = 0; tag < shape.tags; tag += 1) {
    const id = (tag * 7919 + 3) % 1_000_003
    for (const ns of timesOf(shape, random)) {
      rows.push({
        id,
        ns,
        value: numberOf(shape, tag, random),
        text: textOf(shape, tag, rows.length, random),
        quality: qualityOf(shape, random)
      })
    }
  }
  return rows
}

function timesOf({ time, pointsPerTag }: Shape, random: () => number): number[] {
  const step = Math.floor((NS_PER_DAY - 1) / pointsPerTag)
  const times = Array.from({ length: pointsPerTag }, (_, i) => {
    if (time === 'dense') return NS_PER_DAY - pointsPerTag + i
    if (time === 'regular') return i * Math.min(step, 10_000_000_000)
    if (time === 'jittered') return i * step + Math.floor(random() * step)
    return Math.floor(random() * NS_PER_DAY)
  })
  if (time !== 'whole day') return times
  return [...new Set([0, NS_PER_DAY - 1, ...times])].sort((a, b) => a - b).slice(-pointsPerTag)
}

function numberOf({ value }: Shape, tag: number, random: () => number): number | undefined {
  if (value === 'constant') return 21.5
  if (value === 'rounded') return Math.round(random() * 300) / 100
  if (value === 'random') return random() * 10 ** Math.floor(random() * 20 - 10)
  if (value === 'by tag') return tag % 2 === 0 ? undefined : random()
  if (value === 'some') return random() < 0.3 ? undefined : random()
  return random() < 0.5 ? (EXTREMES[Math.floor(random() * EXTREMES.length)] as number) : randomDouble(random)
}

function randomDouble(random: () => number): number {
  const words = new Uint32Array([random() * 2 ** 32, random() * 2 ** 32])
  const double = new Float64Array(words.buffer)[0] as number
  return Number.isFinite(double) ? double : 0
}

function textOf({ text }: Shape, tag: number, row: number, random: () => number): string | undefined {
  if (text === 'none') return undefined
  if (text === 'few') return random() < 0.02 ? `${row}` : undefined
  if (text === 'same') return random() < 0.5 ? 'on' : 'off'
  if (text === 'each') return `${9_007_199_254_740_993n + BigInt(row)}`
  if (text === 'long') return `${row}${'long '.repeat(Math.floor(random() * 400))}`
  if (text === 'by tag') return tag % 2 === 0 ? `text ${row % 7}` : undefined
  return random() < 0.2 ? undefined : (UNICODE[Math.floor(random() * UNICODE.length)] as string)
}

function qualityOf({ quality }: Shape, random: () => number): number | undefined {
  if (quality === 'none') return undefined
  if (quality === 'good') return 0
  if (quality === 'mixed') return Math.floor(random() * 3)
  return random() < 0.1 ? Math.floor(random() * 3) : undefined
}

/** Pseudo-random numbers from 0 to 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
