/** How times are written where nothing is said. */
const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|[+-]\d\d:?(?:\d\d)?)?$/i

const MS_PER_MINUTE = 60_000
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const SIGN = /%(epoch_microseconds|s_as_float|_ms|ms|[A-Za-z%])/g

interface Sign {
  readonly pattern: string
  print(ms: number): string
}

const padded = (number: number, digits: number) => String(number).padStart(digits, '0')
const at = (ms: number) => new Date(ms)

/** What `strftime` has, as far as services use it; and counts from 1970. All are in UTC. */
const SIGNS: Readonly<Record<string, Sign>> = {
  Y: { pattern: '\\d{4}', print: (ms) => padded(at(ms).getUTCFullYear(), 4) },
  m: { pattern: '\\d{1,2}', print: (ms) => padded(at(ms).getUTCMonth() + 1, 2) },
  a: { pattern: '[A-Za-z]{3}', print: (ms) => DAYS[at(ms).getUTCDay()] ?? '' },
  b: { pattern: '[A-Za-z]{3}', print: (ms) => MONTHS[at(ms).getUTCMonth()] ?? '' },
  d: { pattern: '\\d{1,2}', print: (ms) => padded(at(ms).getUTCDate(), 2) },
  H: { pattern: '\\d{1,2}', print: (ms) => padded(at(ms).getUTCHours(), 2) },
  M: { pattern: '\\d{1,2}', print: (ms) => padded(at(ms).getUTCMinutes(), 2) },
  S: { pattern: '\\d{1,2}', print: (ms) => padded(at(ms).getUTCSeconds(), 2) },
  f: { pattern: '\\d{1,9}', print: (ms) => `${padded(at(ms).getUTCMilliseconds(), 3)}000` },
  _ms: { pattern: '\\d{1,9}', print: (ms) => padded(at(ms).getUTCMilliseconds(), 3) },
  z: { pattern: '(?:Z|UTC|[+-]\\d\\d:?(?:\\d\\d)?)', print: () => '+0000' },
  s: { pattern: '-?\\d{1,15}(?:\\.\\d{1,9})?', print: (ms) => String(Math.floor(ms / 1000)) },
  s_as_float: { pattern: '-?\\d{1,15}(?:\\.\\d{1,9})?', print: (ms) => (ms / 1000).toFixed(3) },
  ms: { pattern: '-?\\d{1,18}', print: (ms) => String(Math.floor(ms)) },
  epoch_microseconds: { pattern: '-?\\d{1,20}', print: (ms) => String(BigInt(Math.floor(ms)) * 1000n) },
  '%': { pattern: '%', print: () => '%' }
}

/** A time as a service wants it. */
export function printTime(ms: number, format: string | undefined): string {
  if (format === undefined) return at(ms).toISOString()
  return format.replace(SIGN, (whole, name: string) => SIGNS[name]?.print(ms) ?? whole)
}

/** The milliseconds since 1970 of a time as a service writes it; undefined for what is none. */
export function parseTime(value: unknown, format: string | undefined): number | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') return undefined
  const text = String(value).trim()
  const ms = format === undefined ? undefined : parseBy(text, format)
  return ms ?? parseRfc(text)
}

/** Whether values of a format are counts. */
export const isCounted = (format: string | undefined): boolean =>
  format !== undefined && /^%(?:s|ms|s_as_float|epoch_microseconds)$/.test(format)

/** Whether times can be written so: each sign is known, and there is one. */
export function isTimeFormat(format: string): boolean {
  const rest = format.replace(SIGN, (whole, name: string) => (Object.hasOwn(SIGNS, name) ? '' : whole))
  return rest !== format && !rest.includes('%')
}

function parseRfc(text: string): number | undefined {
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] =
    RFC_3339.exec(text) ?? []
  if (year === undefined) return undefined
  return moment({ Y: year, m: month ?? '', d: day ?? '', H: hour, M: minute, S: second, f: fraction, z: zone })
}

const patterns = new Map<string, { readonly regex: RegExp; readonly names: readonly string[] }>()
const MAX_PATTERNS = 1000

function parseBy(text: string, format: string): number | undefined {
  const { regex, names } = patternOf(format)
  const found = regex.exec(text)
  if (found === null) return undefined
  const parts = Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? '']))
  if (parts.s !== undefined) return Math.floor(Number(parts.s) * 1000)
  if (parts.s_as_float !== undefined) return Math.round(Number(parts.s_as_float) * 1000)
  if (parts.ms !== undefined) return Number(parts.ms)
  if (parts.epoch_microseconds !== undefined) return Math.floor(Number(parts.epoch_microseconds) / 1000)
  return moment(parts)
}

function patternOf(format: string) {
  const known = patterns.get(format)
  if (known !== undefined) return known
  const names: string[] = []
  let pattern = ''
  let end = 0
  for (const match of format.matchAll(SIGN)) {
    const sign = SIGNS[match[1] ?? '']
    if (sign === undefined) continue
    pattern += RegExp.escape(format.slice(end, match.index))
    // A sign that comes twice says the same twice.
    const isNew = !names.includes(match[1] ?? '') && match[1] !== '%'
    if (isNew) names.push(match[1] ?? '')
    pattern += isNew ? `(${sign.pattern})` : `(?:${sign.pattern})`
    end = match.index + match[0].length
  }
  const made = { regex: new RegExp(`^${pattern}${RegExp.escape(format.slice(end))}$`), names }
  if (patterns.size >= MAX_PATTERNS) patterns.clear()
  patterns.set(format, made)
  return made
}

/** The moment that parts of a time name; undefined where there is no such day or hour. */
function moment(parts: Readonly<Record<string, string | undefined>>): number | undefined {
  const { Y: year, m = '1', b, d = '1', H = '0', M = '0', S = '0', f = parts._ms ?? '', z = 'Z' } = parts
  if (year === undefined) return undefined
  const month = b === undefined ? Number(m) - 1 : MONTHS.findIndex((name) => name.toLowerCase() === b.toLowerCase())
  const fraction = Number(f.padEnd(3, '0').slice(0, 3))
  const date = new Date(0)
  date.setUTCFullYear(Number(year), month, Number(d))
  if (date.getUTCMonth() !== month || date.getUTCDate() !== Number(d)) return undefined
  if (Number(H) > 24 || Number(M) > 59 || Number(S) > 60) return undefined
  const ofDay = (Number(H) * 60 + Number(M)) * MS_PER_MINUTE + Number(S) * 1000 + fraction
  return date.getTime() + ofDay - zoneMs(z)
}

function zoneMs(zone: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  if (hours === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0)) * MS_PER_MINUTE
}
