import { cleanLine } from '../text/clean.ts'
import { drawable, numberTicks, type Span, widened } from './ticks.ts'

/** How a number is shown: divided by the factor, with the suffix behind. */
interface Rung {
  readonly factor: number
  readonly suffix: string
}

const THIN_SPACE = '\u202f'
const MINUS = '\u2212'
const MAX_UNIT_CHARS = 16
const MAX_DECIMALS = 10
/** Beyond these a number is written with an exponent. */
const [LEAST, GREATEST] = [1e-5, 1e16]
/** Plain numbers are written out up to here. */
const WRITTEN_OUT = 100_000
const WRITTEN_OUT_ON_AXES = 10_000
/** From here on no larger unit helps. */
const WITH_EXPONENT = 1e18

const rungs = (suffixes: readonly string[], base: number): Rung[] =>
  suffixes.map((suffix, i) => ({ factor: base ** i, suffix: suffix === '' ? '' : `${THIN_SPACE}${suffix}` }))

const THOUSANDS: readonly Rung[] = ['', 'k', 'M', 'G', 'T', 'P'].map((suffix, i) => ({ factor: 1000 ** i, suffix }))
const BYTES = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']
const BITS = ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s', 'Tbit/s']
/** In seconds. */
const DURATIONS: readonly (readonly [string, number])[] = [
  ['ns', 1e-9],
  ['µs', 1e-6],
  ['ms', 1e-3],
  ['s', 1],
  ['min', 60],
  ['h', 3600],
  ['d', 86_400]
]

const LADDERS: ReadonlyMap<string, readonly Rung[]> = new Map<string, readonly Rung[]>([
  ['short', THOUSANDS],
  ['bytes', rungs(BYTES, 1024)],
  [
    'bytes/s',
    rungs(
      BYTES.map((unit) => `${unit}/s`),
      1024
    )
  ],
  ['bits/s', rungs(BITS, 1000)],
  ['percent', [{ factor: 1, suffix: `${THIN_SPACE}%` }]],
  ['%', [{ factor: 1, suffix: `${THIN_SPACE}%` }]],
  ['ratio', [{ factor: 0.01, suffix: `${THIN_SPACE}%` }]],
  ...DURATIONS.map(
    ([unit, seconds]) =>
      [unit, DURATIONS.map(([name, own]) => ({ factor: own / seconds, suffix: `${THIN_SPACE}${name}` }))] as const
  )
])

function ladderOf(unit: string | undefined): readonly Rung[] {
  const name = cleanLine(unit ?? '', MAX_UNIT_CHARS)
  const known = LADDERS.get(name)
  if (known !== undefined) return known
  return THOUSANDS.map(({ factor, suffix }) => ({
    factor,
    suffix: name === '' ? suffix : `${suffix}${THIN_SPACE}${name}`
  }))
}

/** What the steps of a unit stand for, such as 1, 1024 and so on of bytes; in order. */
export const unitFactors = (unit: string | undefined): number[] => ladderOf(unit).map(({ factor }) => factor)

/** The rung on which a number has the fewest digits before the point, but some. */
function rungFor(unit: string | undefined, greatest: number, writtenOut: number): Rung {
  const ladder = ladderOf(unit)
  const base = ladder.find(({ factor }) => factor === 1) ?? (ladder[0] as Rung)
  if (greatest === 0 || greatest >= WITH_EXPONENT) return base
  const isPlain = ladder[1]?.suffix.startsWith('k') && unit !== 'short' && unit !== 'bits/s'
  if (isPlain && greatest < writtenOut) return base
  return ladder.findLast(({ factor }) => factor <= greatest * 1.0000001) ?? (ladder[0] as Rung)
}

/** A value with its unit: with as many digits behind the point as asked for, or else so many in all. */
export function valueText(value: number, unit?: string, decimals?: number, inAll = 3): string {
  return textOf(value, unit, decimals, inAll, WRITTEN_OUT)
}

/** A value as it stands at an axis, whatever the others there are. */
export function tickText(value: number, unit?: string): string {
  return textOf(value, unit, undefined, 3, WRITTEN_OUT_ON_AXES)
}

function textOf(
  value: number,
  unit: string | undefined,
  decimals: number | undefined,
  inAll: number,
  writtenOut: number
): string {
  const drawn = drawable(value)
  if (drawn === undefined) return '–'
  const { factor, suffix } = rungFor(unit, Math.abs(drawn), writtenOut)
  const shown = drawn / factor
  if (decimals !== undefined) return `${digits(shown, bounded(decimals))}${suffix}`
  const before = shown === 0 ? 1 : Math.floor(Math.log10(Math.abs(shown))) + 1
  const text = digits(shown, Math.min(6, Math.max(0, inAll - (before === 0 ? 1 : before))))
  return `${text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')}${suffix}`
}

export interface Tick {
  readonly value: number
  readonly text: string
}

/** At most so many ticks within the span, all in the same unit and with the same number of digits. */
export function valueTicks(span: Span, most: number, unit?: string, decimals?: number): Tick[] {
  const wide = widened(span)
  const base = rungFor(unit, 0, 0)
  const rung = rungFor(unit, Math.max(Math.abs(wide.from), Math.abs(wide.to)), WRITTEN_OUT_ON_AXES)
  const scaled = ticksOn(rung, wide, most)
  // Large numbers that differ by little are written out.
  const { factor, suffix, ticks, needed } = scaled.needed > 4 ? ticksOn(base, wide, most) : scaled
  const shownDecimals = Math.max(needed, decimals === undefined ? 0 : Math.min(bounded(decimals), needed + 2))
  return ticks.map((tick) => ({
    value: tick * factor,
    text: tick === 0 ? `0${base.suffix}` : `${digits(tick, shownDecimals)}${suffix}`
  }))
}

/** `needed`: how many digits behind the point tell the ticks apart. */
function ticksOn({ factor, suffix }: Rung, { from, to }: Span, most: number) {
  const ticks = numberTicks({ from: from / factor, to: to / factor }, most)
  const step = ticks.length > 1 ? (ticks[1] as number) - (ticks[0] as number) : 1
  return { factor, suffix, ticks, needed: Math.max(0, Math.ceil(-Math.log10(step) - 1e-6)) }
}

/** The factor between a unit's steps on an axis, so that its ends fall on ticks. */
export function axisFactor(span: Span, unit?: string): number {
  return rungFor(unit, Math.max(Math.abs(span.from), Math.abs(span.to)), WRITTEN_OUT_ON_AXES).factor
}

const bounded = (decimals: number) => Math.min(MAX_DECIMALS, Math.max(0, Math.round(decimals) || 0))

/** Thousands apart by thin spaces, which mean the same in every language. */
function digits(value: number, decimals: number): string {
  const size = Math.abs(value)
  if (size !== 0 && (size >= GREATEST || (size < LEAST && decimals > 4))) {
    return value
      .toExponential(2)
      .replace(/\.?0+e/, 'e')
      .replace('e+', 'e')
      .replaceAll('-', MINUS)
  }
  const [whole = '', rest] = size.toFixed(Math.min(decimals, 15)).split('.')
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE) : whole
  const text = rest === undefined ? grouped : `${grouped}.${rest}`
  return value < 0 && /[1-9]/.test(text) ? `${MINUS}${text}` : text
}
