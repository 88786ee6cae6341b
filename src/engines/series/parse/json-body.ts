import type { Precision, Written } from '../index.ts'
import { NEWLINE } from './bytes.ts'
import { jsonFaultAt } from './json-fault.ts'
import { invalid, isObject, JsonPoints } from './json-points.ts'
import { parseJson } from './json-text.ts'
import type { PointBatch, TagRegistry } from './points.ts'
import { type Refusal, Tally } from './tally.ts'

/** A byte order mark before JSON is left out. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Bodies of JSON of one source: points in an array or alone, or one on each line. */
export class JsonBodies {
  readonly #points: JsonPoints

  constructor(registry: TagRegistry) {
    this.#points = new JsonPoints(registry)
  }

  forget(): void {
    this.#points.forget()
  }

  /** An array of points, an object `{points: […]}` or one point. */
  parseWhole(body: Uint8Array, precision: Precision, nowMs: number, out: PointBatch, tally = new Tally()): Written {
    this.#points.use(precision, nowMs)
    const read = readJson(body)
    const points = 'refusal' in read ? read.refusal : pointsOf(read.value)
    if ('code' in points) tally.refuse(1, points.code, points.message)
    else for (const [index, point] of points.entries()) this.#put(point, index + 1, out, tally)
    return tally.written()
  }

  /** Each line a point; blank ones do not count. */
  parseLines(body: Uint8Array, precision: Precision, nowMs: number, out: PointBatch, tally = new Tally()): Written {
    this.#points.use(precision, nowMs)
    let line = 1
    for (let start = 0; start < body.length; line++) {
      const newline = body.indexOf(NEWLINE, start)
      const end = newline < 0 ? body.length : newline
      if (!isBlank(body, start, end)) {
        const read = readJson(body.subarray(start, end))
        if ('refusal' in read) tally.refuse(line, read.refusal.code, read.refusal.message)
        else this.#put(read.value, line, out, tally)
      }
      start = end + 1
    }
    return tally.written()
  }

  #put(point: unknown, line: number, out: PointBatch, tally: Tally): void {
    const refusal = this.#points.put(point, out)
    if (refusal === undefined) tally.accepted++
    else tally.refuse(line, refusal.code, refusal.message)
  }
}

function pointsOf(value: unknown): readonly unknown[] | Refusal {
  if (Array.isArray(value)) return value
  if (!isObject(value)) return invalid('the body must be a point, an array of points, or an object with points')
  if (!Object.hasOwn(value, 'points')) return [value]
  if (Object.keys(value).length > 1 || !Array.isArray(value.points)) {
    return invalid('beside points, which must be an array, the body may have no other member')
  }
  return value.points
}

function readJson(bytes: Uint8Array): { readonly value: unknown } | { readonly refusal: Refusal } {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return { refusal: { code: 'invalid_text', message: 'JSON must be UTF-8, and this is not' } }
  }
  try {
    return { value: parseJson(text) }
  } catch (error) {
    return { refusal: invalid(error instanceof SyntaxError ? notJson(text) : 'the JSON is nested too deeply') }
  }
}

function notJson(text: string): string {
  const before = text.slice(0, jsonFaultAt(text))
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  return `this is not JSON from ${line === 1 ? '' : `line ${line}, `}column ${column} on`
}

function isBlank(body: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if ((body[at] as number) > 32) return false
  return true
}
