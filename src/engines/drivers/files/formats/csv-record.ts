import type { Line } from './lines.ts'

/** Lines that a record in quotes may go over, and their letters: a quote that nobody closes must not swallow a file. */
const MAX_LINES = 100
const MAX_CHARS = 1024 * 1024

export interface CsvRecord {
  readonly fields: readonly (string | null)[]
  /** How many lines it has. */
  readonly lines: number
  readonly odd: string | null
}

/**
 * The record that begins at a line; undefined where it may go on in lines that are not there yet. A record of several lines
 * has to be well formed and to have as many fields as there are columns; otherwise its first line is one by itself, so
 * that a stray quote costs one record and not those after it.
 */
export function recordAt(
  lines: readonly Line[],
  at: number,
  { delimiter, width, isEnd }: { delimiter: string; width: number | undefined; isEnd: boolean }
): CsvRecord | undefined {
  const { text, odd } = lines[at] as Line
  if (!text.includes('"')) return { fields: text.split(delimiter).map(orNull), lines: 1, odd }
  const first = fieldsOf(text, delimiter)
  if (first.isClosed) return { fields: first.fields, lines: 1, odd: first.isClean ? odd : joined(odd, BAD_QUOTES) }
  let whole = text
  for (let count = 1; count < MAX_LINES && whole.length < MAX_CHARS; count++) {
    const next = lines[at + count]
    if (next === undefined && !isEnd) return undefined
    if (next === undefined) break
    whole += `\n${next.text}`
    if (!next.text.includes('"')) continue
    const { fields, isClosed, isClean } = fieldsOf(whole, delimiter)
    if (!isClosed) continue
    if (isClean && (width === undefined || fields.length === width)) return { fields, lines: count + 1, odd }
    break
  }
  return { fields: text.split(delimiter).map(orNull), lines: 1, odd: joined(odd, 'a quote that is not closed') }
}

const BAD_QUOTES = 'text after a closing quote'

export const joined = (odd: string | null, more: string): string => (odd === null ? more : `${odd}; ${more}`)

const orNull = (text: string) => (text === '' ? null : text)

interface Quoted {
  readonly fields: (string | null)[]
  readonly isClosed: boolean
  /** Whether nothing but the next field follows a closing quote. */
  readonly isClean: boolean
}

/** The fields of a text with quotes. In quotes, two quotes are one; a quote within a field that has none around it is a letter. */
function fieldsOf(text: string, delimiter: string): Quoted {
  const fields: (string | null)[] = []
  let isClean = true
  for (let at = 0; ; ) {
    if (text[at] !== '"') {
      const end = endOf(text, delimiter, at)
      fields.push(orNull(text.slice(at, end)))
      if (end === text.length) return { fields, isClosed: true, isClean }
      at = end + 1
      continue
    }
    const quote = closingQuote(text, at + 1)
    if (quote < 0) return { fields, isClosed: false, isClean }
    const end = endOf(text, delimiter, quote + 1)
    isClean &&= end === quote + 1
    fields.push(text.slice(at + 1, quote).replaceAll('""', '"') + text.slice(quote + 1, end))
    if (end === text.length) return { fields, isClosed: true, isClean }
    at = end + 1
  }
}

function endOf(text: string, delimiter: string, from: number): number {
  const end = text.indexOf(delimiter, from)
  return end < 0 ? text.length : end
}

function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at
  }
  return -1
}
