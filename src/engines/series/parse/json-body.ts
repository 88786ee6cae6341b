import type { Precision } from '../index.ts'
import { NEWLINE } from './bytes.ts'
import { type Elements, elementsFrom, endsAfter, type Outer, outerOf } from './json-elements.ts'
import { invalid, isObject, JsonPoints } from './json-points.ts'
import { notJson, placeOf, readJson } from './json-reading.ts'
import type { PointBatch, TagRegistry } from './points.ts'
import { MAX_POINT_BYTES, type Reading, SLICE_BYTES } from './reading.ts'
import type { Refusal, Tally } from './tally.ts'

/** Reads JSON bodies of one source: an array of points, one point, or one point per line. */
export class JsonBodies {
  readonly #points: JsonPoints

  constructor(registry: TagRegistry) {
    this.#points = new JsonPoints(registry)
  }

  forget(): void {
    this.#points.forget()
  }

  /**
   * Reads an array of points, an object `{points: […]}` or one point. A large array is read twice, some elements at a
   * time: first to check that all of it is JSON, because otherwise none of its points may be taken.
   */
  nextElements(reading: Reading, precision: Precision, nowMs: number, out: PointBatch): boolean {
    this.#points.use(precision, nowMs)
    const { body, tally } = reading
    if (!reading.isLarge) {
      const read = readJson(body)
      const points = 'refusal' in read ? read.refusal : pointsOf(read.value)
      if ('code' in points) tally.refuse(1, points.code, points.message)
      else this.#putAll(points, reading, out)
      return false
    }
    const outer = outerOf(body)
    if (outer === undefined) {
      const { code, message } = invalid('so large a body must be an array of points, or an object with points alone')
      tally.refuse(1, code, message)
      return false
    }
    if (reading.at === 0) reading.at = outer.start
    return reading.isVerified ? this.#take(reading, out) : verify(reading, outer)
  }

  #take(reading: Reading, out: PointBatch): boolean {
    const { body, at, tally } = reading
    const found = elementsFrom(body, at)
    if (found.isTooLarge) {
      const { code, message } = tooLarge()
      tally.refuse(reading.line++, code, message)
    } else {
      const read = readJson(body.subarray(at, found.end), ['[', ']']) as { readonly value: readonly unknown[] }
      this.#putAll(read.value, reading, out)
    }
    reading.at = found.end + 1
    return found.closes === 'slice'
  }

  #putAll(points: readonly unknown[], reading: Reading, out: PointBatch): void {
    for (const point of points) this.#put(point, reading.line++, out, reading.tally)
  }

  /** Reads one point per line; blank lines are skipped. */
  nextLines(reading: Reading, precision: Precision, nowMs: number, out: PointBatch): boolean {
    this.#points.use(precision, nowMs)
    const { body, tally } = reading
    const sliceEnd = reading.at + SLICE_BYTES
    for (; reading.at < body.length && reading.at < sliceEnd; reading.line++) {
      const { at, line } = reading
      const newline = body.indexOf(NEWLINE, at)
      const end = newline < 0 ? body.length : newline
      reading.at = end + 1
      if (isBlank(body, at, end)) continue
      const read = end - at > MAX_POINT_BYTES ? { refusal: tooLarge() } : readJson(body.subarray(at, end))
      if ('refusal' in read) tally.refuse(line, read.refusal.code, read.refusal.message)
      else this.#put(read.value, line, out, tally)
    }
    return reading.at < body.length
  }

  #put(point: unknown, line: number, out: PointBatch, tally: Tally): void {
    const refusal = this.#points.put(point, out)
    if (refusal === undefined) tally.accepted++
    else tally.refuse(line, refusal.code, refusal.message)
  }
}

/** One step of the first pass over a large array. */
function verify(reading: Reading, outer: Outer): boolean {
  const { body, at, tally } = reading
  const found = elementsFrom(body, at)
  const refusal = elementsFault(body, at, found, at === outer.start) ?? endFault(body, found, outer)
  if (refusal !== undefined) {
    tally.refuse(1, refusal.code, refusal.message)
    return false
  }
  reading.isVerified = found.closes === 'array'
  reading.at = reading.isVerified ? outer.start : found.end + 1
  return true
}

/** Checks some elements. One that is too large is refused later, without being read. */
function elementsFault(body: Uint8Array, at: number, found: Elements, isFirst: boolean): Refusal | undefined {
  if (found.isTooLarge && found.closes !== 'nothing') return undefined
  if (found.isTooLarge) return invalid(notJson(placeOf(body, found.end)))
  // After a comma an element must follow.
  if (!isFirst && isBlank(body, at, found.end)) return invalid(notJson(placeOf(body, found.end)))
  const closing = found.closes === 'nothing' ? '' : ']'
  const read = readJson(body.subarray(at, found.end), ['[', closing], () => placeOf(body, at))
  return 'refusal' in read ? read.refusal : undefined
}

function endFault(body: Uint8Array, { end, closes }: Elements, outer: Outer): Refusal | undefined {
  if (closes === 'slice') return undefined
  if (closes === 'array' && body[end] === CLOSING_BRACKET && endsAfter(body, end + 1, outer)) return undefined
  if (outer.isMember && body[end] === CLOSING_BRACKET) return onlyPoints()
  return invalid(notJson(placeOf(body, closes === 'array' && body[end] === CLOSING_BRACKET ? end + 1 : end)))
}

const CLOSING_BRACKET = 0x5d

const onlyPoints = () => invalid('beside points, which must be an array, the body may have no other member')

const tooLarge = () => invalid(`a point may have ${MAX_POINT_BYTES} bytes`)

function pointsOf(value: unknown): readonly unknown[] | Refusal {
  if (Array.isArray(value)) return value
  if (!isObject(value)) return invalid('the body must be a point, an array of points, or an object with points')
  if (!Object.hasOwn(value, 'points')) return [value]
  if (Object.keys(value).length > 1 || !Array.isArray(value.points)) return onlyPoints()
  return value.points
}

function isBlank(body: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((body[at] as number) > 32) return false
  return true
}
