import type { TagType } from '../../index.ts'
import { HAS_EXACT, type KnownTag, NS_PER_DAY, type PointBatch, type TagRegistry } from '../points.ts'

/** A registry in memory, whose tags a test can look at. */
export class MemoryTags implements TagRegistry {
  readonly tags: (KnownTag & { readonly name: string; readonly labels: Readonly<Record<string, string>> })[] = []
  readonly #byName = new Map<string, KnownTag>()
  readonly #maxTags: number

  constructor(maxTags = Number.POSITIVE_INFINITY) {
    this.#maxTags = maxTags
  }

  resolve(name: string, labels: Readonly<Record<string, string>>, type: TagType): KnownTag | undefined {
    const known = this.#byName.get(name)
    if (known !== undefined || this.tags.length >= this.#maxTags) return known
    const tag = { id: this.tags.length, name, labels, type }
    this.tags.push(tag)
    this.#byName.set(name, tag)
    return tag
  }
}

const QUALITIES = ['', ' uncertain', ' bad']

/** Each point as `name type value @ns`, and its quality if that is not good. */
export function readable(out: PointBatch, registry: MemoryTags): string[] {
  return Array.from({ length: out.length }, (_, row) => {
    const { name, type } = registry.tags[out.tags[row] as number] as (typeof registry.tags)[number]
    const flags = out.flags[row] as number
    const ns = BigInt(out.days[row] as number) * BigInt(NS_PER_DAY) + BigInt(out.ns[row] as number)
    return `${name} ${type} ${readableValue(out, row, type)} @${ns}${QUALITIES[flags & ~HAS_EXACT]}`
  })
}

function readableValue(out: PointBatch, row: number, type: TagType): string {
  const value = out.values[row] as number
  const exact = out.exact.get(row)
  if (((out.flags[row] as number) & HAS_EXACT) === 0) {
    if (exact !== undefined) throw new Error('An exact value without its flag.')
    if (Object.is(value, -0)) return '-0'
    if (type === 'boolean') return String(value === 1)
    return String(type === 'float' ? value : BigInt(value))
  }
  if (typeof exact === 'string' && Number.isNaN(value)) return JSON.stringify(exact)
  if (typeof exact !== 'bigint' || Number(exact) !== value)
    throw new Error('An exact value that the other does not fit.')
  return String(exact)
}
