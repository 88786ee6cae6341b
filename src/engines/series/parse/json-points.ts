import type { Precision, Quality } from '../index.ts'
import { Instant } from './instant.ts'
import { readJsonTime } from './json-time.ts'
import { checkJsonValue, readJsonValue, typeOfJson } from './json-value.ts'
import { HAS_EXACT, type KnownTag, type PointBatch, type TagRegistry } from './points.ts'
import { MAX_NAME_BYTES, nameTooLong, tooManyTags } from './tag-limits.ts'
import { emptyLabels } from './tag-name.ts'
import type { Refusal } from './tally.ts'
import { isKeepable, shown } from './text.ts'

const MEMBERS: ReadonlySet<string> = new Set(['tag', 'time', 'value', 'quality', 'labels'])

const QUALITY_FLAGS: Readonly<Record<Quality, number>> = { good: 0, uncertain: 1, bad: 2 }

const MAX_KNOWN_TAGS = 200_000

type JsonObject = Readonly<Record<string, unknown>>

/** Points of JSON for one source. The name of a tag is the one in the point. */
export class JsonPoints {
  readonly #registry: TagRegistry
  readonly #known = new Map<string, KnownTag>()
  readonly #now = new Instant()
  readonly #time = new Instant()

  constructor(registry: TagRegistry) {
    this.#registry = registry
  }

  /** Sets the time of points that have none, and the unit of numeric times. */
  use(precision: Precision, nowMs: number): void {
    this.#now.setMs(nowMs)
    this.#time.use(precision)
  }

  forget(): void {
    this.#known.clear()
  }

  /** Puts one point into the batch, unless something is wrong with it. */
  put(point: unknown, out: PointBatch): Refusal | undefined {
    if (!isObject(point)) return invalid('a point must be an object with tag and value')
    const unknown = Object.keys(point).find((member) => !MEMBERS.has(member))
    if (unknown !== undefined)
      return invalid(`a point has no member ${shown(unknown)}; it may have ${[...MEMBERS].join(', ')}`)
    const { tag: name, time, value, quality = 'good', labels } = point
    const refusal = checkTagName(name) ?? checkQuality(quality) ?? checkJsonValue(value) ?? checkLabels(labels)
    if (refusal !== undefined) return refusal
    const timeRefusal = time === undefined ? undefined : readJsonTime(time, this.#time)
    if (timeRefusal !== undefined) return timeRefusal
    const tag = this.#tag(name as string, labels as JsonObject | undefined, value)
    if (tag === undefined) return tooManyTags(name as string)
    const column = readJsonValue(value, name as string, tag.type)
    if ('code' in column) return column
    const instant = time === undefined ? this.#now : this.#time
    out.reserve(1)
    const row = out.length++
    out.tags[row] = tag.id
    out.days[row] = instant.day
    out.ns[row] = instant.ns
    out.values[row] = column.value
    out.flags[row] = QUALITY_FLAGS[quality as Quality] | (column.exact === undefined ? 0 : HAS_EXACT)
    if (column.exact !== undefined) out.exact.set(row, column.exact)
    return undefined
  }

  /** Labels are passed to the registry each time they are given. */
  #tag(name: string, labels: JsonObject | undefined, value: unknown): KnownTag | undefined {
    const known = labels === undefined ? this.#known.get(name) : undefined
    if (known !== undefined) return known
    const tag = this.#registry.resolve(name, Object.assign(emptyLabels(), labels), typeOfJson(value) ?? 'float')
    if (tag === undefined) return undefined
    if (this.#known.size === MAX_KNOWN_TAGS) this.#known.clear()
    this.#known.set(name, tag)
    return tag
  }
}

function checkTagName(name: unknown): Refusal | undefined {
  if (name === undefined) return invalid('the point has no tag')
  if (typeof name !== 'string') return invalid('tag must be a text')
  if (name === '') return { code: 'invalid_name', message: 'tag must not be empty' }
  if (!isKeepable(name)) return { code: 'invalid_text', message: 'tag holds a NUL or half a character' }
  return Buffer.byteLength(name) > MAX_NAME_BYTES ? nameTooLong() : undefined
}

function checkQuality(quality: unknown): Refusal | undefined {
  if (typeof quality === 'string' && Object.hasOwn(QUALITY_FLAGS, quality)) return undefined
  return invalid(`quality must be ${Object.keys(QUALITY_FLAGS).join(', ')} or left out`)
}

function checkLabels(labels: unknown): Refusal | undefined {
  if (labels === undefined) return undefined
  if (!isObject(labels)) return invalid('labels must be an object of texts')
  let sizeBytes = 0
  for (const [key, value] of Object.entries(labels)) {
    if (typeof value !== 'string') return invalid(`label ${shown(key)} must be a text`)
    if (key === '' || value === '')
      return { code: 'invalid_name', message: 'labels must not have empty keys or values' }
    if (!isKeepable(key + value)) return { code: 'invalid_text', message: 'a label holds a NUL or half a character' }
    sizeBytes += Buffer.byteLength(key) + Buffer.byteLength(value)
  }
  return sizeBytes > MAX_NAME_BYTES ? nameTooLong() : undefined
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function invalid(message: string): Refusal {
  return { code: 'invalid_point', message }
}
