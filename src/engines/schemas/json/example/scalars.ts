import { between, pick, type Random } from '../../../seeded-random.ts'
import { makePattern, own, type SchemaNode } from '../model.ts'
import { deadEnd, type Making, type Spot } from './making.ts'
import { readPattern, textMatching } from './pattern.ts'

const ATTEMPTS = 80
const MAX_LENGTH = 100_000

interface Limits {
  readonly least: number
  readonly most: number
  readonly patterns: readonly { readonly node: SchemaNode; readonly text: string; readonly test: RegExp }[]
  readonly formats: readonly SchemaNode[]
}

export function makeString(nodes: readonly SchemaNode[], making: Making, spot: Spot): string {
  const limits = limitsOf(nodes, making)
  const parsed = limits.patterns.map(({ text }) => readPattern(text)).filter((pattern) => pattern !== undefined)
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    making.effort.spend()
    // Attempts with few repetitions, with some, and with as many as the length needs.
    const extra = [2, 0, 8, Math.max(limits.least, 20)][attempt % 4] as number
    const made =
      parsed.length > 0
        ? textMatching(pick(making.random, parsed), making.random, extra)
        : plainText(nodes, limits, making, spot)
    const text = [made, fit(made, limits, 'x', true), fit(made, limits, 'x', false)].find((each) =>
      isGood(each, limits, making)
    )
    if (text !== undefined) return text
  }
  const culprit = limits.patterns[0]?.node ?? limits.formats[0] ?? nodes[0]
  throw deadEnd(
    making,
    culprit,
    limits.patterns.length > 0 ? 'pattern' : limits.formats.length > 0 ? 'format' : 'minLength'
  )
}

function limitsOf(nodes: readonly SchemaNode[], making: Making): Limits {
  let [least, most] = [0, Infinity]
  const patterns: { node: SchemaNode; text: string; test: RegExp }[] = []
  for (const node of nodes) {
    least = Math.max(least, Number(own(node, 'minLength') ?? 0))
    most = Math.min(most, Number(own(node, 'maxLength') ?? Infinity))
    const pattern = own(node, 'pattern')
    if (typeof pattern === 'string') patterns.push({ node, text: pattern, test: makePattern(pattern) })
    if (least > most || least > MAX_LENGTH) throw deadEnd(making, node, least > most ? 'maxLength' : 'minLength')
  }
  const formats = nodes.filter((node) => typeof own(node, 'format') === 'string')
  return { least, most, patterns, formats }
}

function plainText(nodes: readonly SchemaNode[], limits: Limits, making: Making, spot: Spot): string {
  const format = limits.formats
    .map((node) => FORMATS.get(own(node, 'format') as string))
    .find((make) => make !== undefined)
  if (format !== undefined) return format(making.random)
  if (nodes.some((node) => own(node, 'contentEncoding') === 'base64')) {
    const bytes = Math.max(
      Math.ceil((limits.least * 3) / 4),
      Math.min(between(making.random, 3, 12), (limits.most * 3) / 4)
    )
    const text = Buffer.from(Array.from({ length: bytes }, () => between(making.random, 0, 255))).toString('base64')
    if (text.length <= limits.most) return text
  }
  const named = textForName(spot.name, making.random)
  if (isLong(named, limits)) return named
  const text = word(making.random)
  return isLong(text, limits) ? text : (fit(text, limits, word(making.random), true) ?? '')
}

/** Longer or shorter, so that the length is right. */
function fit(text: string | undefined, { least, most }: Limits, filler: string, atEnd: boolean): string | undefined {
  if (text === undefined) return undefined
  const chars = [...text]
  if (chars.length > most) return chars.slice(0, most).join('')
  const missing = least - chars.length
  if (missing <= 0) return undefined
  const added = filler.repeat(Math.ceil(missing / filler.length)).slice(0, missing)
  return atEnd ? text + added : added + text
}

function isLong(text: string, { least, most }: Limits): boolean {
  const { length } = [...text]
  return length >= least && length <= most
}

function isGood(text: string | undefined, limits: Limits, making: Making): boolean {
  if (text === undefined || !isLong(text, limits)) return false
  if (!limits.patterns.every(({ test }) => test.test(text))) return false
  return limits.formats.every((node) => making.validator.fitsNode(node, text))
}

const WORDS = ['alpha', 'river', 'stone', 'north', 'amber', 'delta', 'maple', 'orbit', 'pearl', 'quartz']
const YEARS_MS = 10 * 365 * 86_400_000
const START_MS = Date.UTC(2020, 0, 1)

export function word(random: Random): string {
  return pick(random, WORDS)
}

function hex(random: Random, length: number): string {
  return Array.from({ length }, () => between(random, 0, 15).toString(16)).join('')
}

function instant(random: Random): string {
  return new Date(START_MS + Math.floor(random() * (YEARS_MS / 1000)) * 1000).toISOString()
}

function uuid(random: Random): string {
  const variant = pick(random, ['8', '9', 'a', 'b'])
  return `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-${variant}${hex(random, 3)}-${hex(random, 12)}`
}

const host = (random: Random) => `${word(random)}.example.com`
const path = (random: Random) => `/${word(random)}/${between(random, 1, 99)}`

/** By name; each as short as is usual. Others are as good as unknown and get any text. */
const FORMATS: ReadonlyMap<string, (random: Random) => string> = new Map([
  ['date-time', instant],
  ['iso-date-time', instant],
  ['date', (random) => instant(random).slice(0, 10)],
  ['time', (random) => `${instant(random).slice(11, 19)}Z`],
  ['iso-time', (random) => `${instant(random).slice(11, 19)}Z`],
  ['duration', (random) => `P${between(random, 1, 30)}DT${between(random, 1, 23)}H`],
  ['uuid', uuid],
  ['email', (random) => `${word(random)}@example.com`],
  ['idn-email', (random) => `${word(random)}@example.com`],
  ['hostname', host],
  ['idn-hostname', host],
  ['ipv4', (random) => `192.0.2.${between(random, 1, 254)}`],
  ['ipv6', (random) => `2001:db8::${hex(random, 4)}`],
  ['uri', (random) => `https://${host(random)}${path(random)}`],
  ['url', (random) => `https://${host(random)}${path(random)}`],
  ['iri', (random) => `https://${host(random)}${path(random)}`],
  ['uri-reference', path],
  ['iri-reference', path],
  ['uri-template', (random) => `https://${host(random)}/{id}`],
  ['json-pointer', path],
  ['json-pointer-uri-fragment', (random) => `#${path(random)}`],
  ['relative-json-pointer', (random) => `${between(random, 0, 3)}${path(random)}`],
  ['regex', (random) => `^${word(random)}$`],
  ['byte', (random) => Buffer.from(word(random)).toString('base64')]
] satisfies [string, (random: Random) => string][])

/** What strings with a telling name usually are. */
const NAMES: readonly (readonly [pattern: RegExp, make: (random: Random) => string])[] = [
  [/(?:^|[_-])(?:uu|gu)?id$|[a-z]Id$/, uuid],
  [/(?:time|timestamp|datetime)$|[a-z]At$|_at$/i, instant],
  [/date$|birthday$/i, (random) => instant(random).slice(0, 10)],
  [/e-?mail$/i, (random) => `${word(random)}@example.com`],
  [/(?:^|[_-])ur[il]$|Ur[il]$|website|link$/, (random) => `https://${host(random)}${path(random)}`],
  [/host(?:name)?$/i, host],
  [/phone|mobile/i, (random) => `+49 30 ${between(random, 100_000, 999_999)}`],
  [/currency/i, (random) => pick(random, ['EUR', 'USD', 'JPY'])],
  [/country/i, (random) => pick(random, ['DE', 'FR', 'JP', 'BR'])],
  [/version$/i, (random) => `${between(random, 1, 9)}.${between(random, 0, 9)}.0`]
]

function textForName(name: string, random: Random): string {
  const make = NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? word
  return make(random)
}

const SPAN = 100
const MAX_DECIMALS = 9
const FRACTION_DIGITS = 2

/** A number within all bounds that all divisors divide. */
export function makeNumber(nodes: readonly SchemaNode[], isInteger: boolean, making: Making): number {
  const least = boundOf(nodes, 'minimum', 'exclusiveMinimum', 1)
  const most = boundOf(nodes, 'maximum', 'exclusiveMaximum', -1)
  const step = stepOf(nodes, isInteger)
  const from = least?.value ?? (most === undefined ? 0 : most.value - SPAN * Math.max(1, step ?? 1))
  const to = most?.value ?? from + SPAN * Math.max(1, step ?? 1)
  if (step === undefined) return fraction(from, to, least, most, making)
  let first = Math.ceil(from / step - 1e-9)
  let last = Math.floor(to / step + 1e-9)
  if (least?.isExclusive && tidy(first * step) <= least.value) first++
  if (most?.isExclusive && tidy(last * step) >= most.value) last--
  if (first > last) throw deadEnd(making, (least ?? most)?.node ?? nodes[0], least?.keyword ?? most?.keyword)
  return tidy(between(making.random, first, Math.min(last, first + SPAN)) * step)
}

interface Bound {
  readonly value: number
  readonly isExclusive: boolean
  readonly node: SchemaNode
  readonly keyword: string
}

/** The narrowest; `direction` is 1 for lower and -1 for upper bounds. */
function boundOf(nodes: readonly SchemaNode[], inclusive: string, exclusive: string, direction: 1 | -1) {
  let narrowest: Bound | undefined
  for (const node of nodes) {
    for (const keyword of [inclusive, exclusive]) {
      const value = own(node, keyword)
      if (typeof value !== 'number') continue
      const isExclusive = keyword === exclusive
      const gain = narrowest === undefined ? 1 : (value - narrowest.value) * direction
      if (gain > 0 || (gain === 0 && isExclusive)) narrowest = { value, isExclusive, node, keyword }
    }
  }
  return narrowest
}

/** The least common multiple of all divisors; undefined where any number will do. */
function stepOf(nodes: readonly SchemaNode[], isInteger: boolean): number | undefined {
  const steps = nodes.map((node) => own(node, 'multipleOf')).filter((step) => typeof step === 'number')
  if (isInteger) steps.push(1)
  const [first, ...others] = steps
  return first === undefined ? undefined : others.reduce(leastCommonMultiple, first)
}

function leastCommonMultiple(one: number, other: number): number {
  const scale = 10 ** Math.max(decimalsOf(one), decimalsOf(other))
  const [a, b] = [Math.round(one * scale), Math.round(other * scale)]
  let [divisor, rest] = [a, b]
  while (rest !== 0) [divisor, rest] = [rest, divisor % rest]
  return (a / divisor) * (b / scale)
}

function decimalsOf(value: number): number {
  let decimals = 0
  while (decimals < MAX_DECIMALS && !Number.isInteger(tidy(value * 10 ** decimals))) decimals++
  return decimals
}

/** Without what is left over of counting in twos. */
function tidy(value: number): number {
  return Number(value.toPrecision(15))
}

function fraction(from: number, to: number, least: Bound | undefined, most: Bound | undefined, making: Making): number {
  const isInside = (value: number) =>
    (least?.isExclusive ? value > from : value >= from) && (most?.isExclusive ? value < to : value <= to)
  const [low, high] = [from, Math.min(to, from + SPAN)]
  const exact = low + making.random() * (high - low)
  const short = Number(exact.toFixed(FRACTION_DIGITS))
  const found = [short, exact, (low + high) / 2, to].find(isInside)
  if (found === undefined) throw deadEnd(making, (least ?? most)?.node, (least ?? most)?.keyword)
  return found
}
