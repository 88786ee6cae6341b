import type { Random } from '../../../format.ts'
import { between, pick } from './making.ts'

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
export const FORMATS: ReadonlyMap<string, (random: Random) => string> = new Map([
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

export function textForName(name: string, random: Random): string {
  const make = NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? word
  return make(random)
}
