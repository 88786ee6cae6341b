import { FileFault } from './format.ts'
import { asUtf8, type Line } from './lines.ts'

/** One that is longer is none that anybody meant. */
const MAX_CHARS = 16 * 1024 * 1024

/** Texts of the elements of an array, or of values one after the other, over any lines; their numbers count from 1. */
export async function* elementsOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  const cutter = new Cutter()
  const decoder = new TextDecoder()
  for await (const chunk of asUtf8(bytes)) {
    const elements = cutter.take(decoder.decode(chunk, { stream: true }))
    if (elements.length > 0) yield elements
  }
  const last = cutter.end()
  if (last.length > 0) yield last
}

/** Finds where values end, by brackets and quotes alone. */
class Cutter {
  #rest = ''
  /** How much of the rest was looked at. */
  #at = 0
  #depth = 0
  #isText = false
  /** 1 in an array, whose elements are wanted; 0 for values one after the other. */
  #base: 0 | 1 | undefined
  #count = 0

  take(text: string): Line[] {
    this.#rest += text
    this.#begin()
    const found: Line[] = []
    let start = 0
    let special = this.#next()
    while (special !== undefined) {
      const end = this.#endAfter(special)
      if (end !== undefined) {
        this.#add(found, this.#rest.slice(start, end))
        start = this.#at
      }
      special = this.#next()
    }
    this.#rest = this.#rest.slice(start)
    this.#at -= start
    if (this.#rest.length > MAX_CHARS) throw new FileFault(`an element is longer than ${MAX_CHARS} letters`)
    return found
  }

  /** What is left is an element, a broken one mostly. */
  end(): Line[] {
    const found: Line[] = []
    this.#add(found, this.#rest)
    return found
  }

  #begin(): void {
    if (this.#base !== undefined) return
    const first = this.#rest.search(/\S/)
    if (first < 0) return
    this.#base = this.#rest[first] === '[' ? 1 : 0
    this.#depth = this.#base
    this.#at = first + this.#base
    this.#rest = this.#rest.slice(this.#at)
    this.#at = 0
  }

  /** The next sign that may end something; the place behind it is the one to go on from. */
  #next(): string | undefined {
    if (this.#base === undefined) return undefined
    const form = this.#isText ? /["\\]/g : /["{}[\],]/g
    form.lastIndex = this.#at
    const sign = form.exec(this.#rest)?.[0]
    // After a backslash at the end, the first letter of what comes next was looked at already.
    this.#at = sign === undefined ? Math.max(this.#at, this.#rest.length) : form.lastIndex
    return sign
  }

  /** Where an element ended, if it did. */
  #endAfter(sign: string): number | undefined {
    if (sign === '\\') this.#at += 1
    else if (sign === '"') this.#isText = !this.#isText
    else if (sign === '{' || sign === '[') this.#depth += 1
    else if (sign === ',') return this.#depth === this.#base ? this.#at - 1 : undefined
    else {
      this.#depth -= 1
      if (this.#depth === this.#base) return this.#at
      // The end of the array itself; what comes after it is one more value.
      if (this.#depth < (this.#base as number)) {
        this.#depth = this.#base as number
        return this.#at - 1
      }
    }
    return undefined
  }

  #add(found: Line[], element: string): void {
    const text = element.trim()
    if (text === '') return
    this.#count += 1
    found.push({ text, number: this.#count, odd: null })
  }
}
