import type { Random } from '../format.ts'
import type { FixedType, Logical, PrimitiveType } from './model.ts'

const WORDS = ['amber', 'birch', 'cedar', 'delta', 'ember', 'fjord', 'grove', 'heron']
const MS_PER_DAY = 86_400_000
/** Times are of the years 2020 to 2030. */
const [FROM_MS, SPAN_MS] = [Date.UTC(2020), 10 * 365 * MS_PER_DAY]
/** How many units of a logical type are a millisecond. */
const PER_MS: ReadonlyMap<string, number> = new Map([
  ['millis', 1],
  ['micros', 1000],
  ['nanos', 1_000_000]
])

export function leafExample(type: PrimitiveType | FixedType, random: Random): unknown {
  switch (type.kind) {
    case 'null':
      return null
    case 'boolean':
      return random() < 0.5
    case 'int':
    case 'long':
      return type.logical === undefined ? Math.floor(random() * 1000) : timeExample(type.logical, random)
    case 'float':
    case 'double':
      // Eighths are the same in both.
      return Math.floor(random() * 8000) / 8
    case 'string':
      return type.logical?.name === 'uuid' ? uuidExample(random) : word(random)
    case 'bytes':
      return type.logical?.name === 'decimal' ? bytesExample(1, random, 10) : bytesExample(4, random)
    case 'fixed':
      return type.logical?.name === 'decimal' && type.size > 0
        ? '\0'.repeat(type.size - 1) + bytesExample(1, random, 10)
        : bytesExample(type.size, random)
  }
}

function timeExample({ name }: Logical, random: Random): number {
  const ms = Math.floor(random() * SPAN_MS)
  if (name === 'date') return Math.floor((FROM_MS + ms) / MS_PER_DAY)
  const perMs = PER_MS.get(name.slice(name.lastIndexOf('-') + 1)) ?? 1
  return (name.startsWith('time-') ? ms % MS_PER_DAY : FROM_MS + ms) * perMs
}

function word(random: Random): string {
  return WORDS[Math.floor(random() * WORDS.length)] ?? ''
}

function uuidExample(random: Random): string {
  const digits = (count: number) => Array.from({ length: count }, () => Math.floor(random() * 16).toString(16)).join('')
  return `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`
}

/** One character for each byte. */
function bytesExample(size: number, random: Random, codes = 128): string {
  return Array.from({ length: size }, () => String.fromCharCode(Math.floor(random() * codes))).join('')
}
