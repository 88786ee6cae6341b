import { BoundedMap } from '../../bounded-map.ts'
import type { TemplateValue } from './data.ts'

export type Argument = string | number | undefined

interface Filter {
  /** What is wrong with the argument, where something is. */
  fault(argument: Argument): string | undefined
  apply(value: string | number, argument: Argument): TemplateValue
}

const noArgument = (argument: Argument) => (argument === undefined ? undefined : 'takes nothing after it')

export const FILTERS: ReadonlyMap<string, Filter> = new Map<string, Filter>([
  [
    'round',
    {
      fault: (argument = 0) =>
        typeof argument === 'number' && argument <= 10 ? undefined : 'takes a number of digits from 0 to 10',
      apply: (value, digits = 0) => (typeof value === 'number' ? Number(value.toFixed(Number(digits))) : value)
    }
  ],
  [
    'time',
    {
      fault: (zone = 'UTC') => (isZone(String(zone)) ? undefined : "takes a time zone, such as 'Europe/Berlin'"),
      apply: (value, zone = 'UTC') => timeText(value, String(zone))
    }
  ],
  ['duration', { fault: noArgument, apply: (value) => (typeof value === 'number' ? durationText(value) : value) }],
  ['upper', { fault: noArgument, apply: (value) => String(value).toUpperCase() }]
])

function isZone(zone: string): boolean {
  try {
    formatOf(zone)
    return true
  } catch {
    return false
  }
}

/** To make one takes a hundred times as long as to use it. */
const formats = new BoundedMap<string, Intl.DateTimeFormat>(100)

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit'
  })
  formats.set(zone, format)
  return format
}

const PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const

/** `2026-01-01 09:00:00 Europe/Berlin`; what is no time stays as it is. */
function timeText(value: string | number, zone: string): string | number {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (Number.isNaN(ms)) return value
  const format = formatOf(zone)
  const parts = new Map(format.formatToParts(ms).map((part) => [part.type as string, part.value]))
  const [year, month, day, hour, minute, second] = PARTS.map((part) => parts.get(part))
  return `${year}-${month}-${day} ${hour}:${minute}:${second} ${zone}`
}

const UNITS = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1]
] as const

/** Of seconds, the two largest units: `1 h 5 min`. */
function durationText(seconds: number): string {
  let rest = Math.round(Math.abs(seconds))
  const texts: string[] = []
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) texts.push(`${count} ${unit}`)
  }
  return texts.slice(0, 2).join(' ') || '0 s'
}
