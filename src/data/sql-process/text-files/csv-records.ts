/** What divides a text into fields. No quotation mark is an empty text. */
export interface Marks {
  readonly delimiter: string
  readonly quote: string
  readonly escaping: string
}

export interface SampleRecord {
  readonly fields: readonly string[]
  /** Lines before it. */
  readonly line: number
  /** Lines before the next one. */
  readonly end: number
}

export interface Sample {
  readonly records: readonly SampleRecord[]
  /** Fields that begin with a quotation mark. */
  readonly quoted: number
  /** Those of them that do not end with one. */
  readonly broken: number
  /** Whether these are all records of the text. */
  readonly isAll: boolean
}

const MAX_RECORDS = 2000

/** The first records of a text as its marks divide it. A field whose quotation mark nothing ends is one without any. */
export function recordsOf(text: string, marks: Marks): Sample {
  const { delimiter, quote } = marks
  const records: SampleRecord[] = []
  let [at, line, quoted, broken] = [0, 0, 0, 0]
  while (at < text.length && records.length < MAX_RECORDS) {
    const begun = line
    const fields: string[] = []
    for (;;) {
      const closing = quote !== '' && text[at] === quote ? closingOf(text, at + 1, marks) : undefined
      if (closing !== undefined) quoted += 1
      if (closing === -1) broken += 1
      if (closing === undefined || closing === -1) {
        const end = endOfPlain(text, at, delimiter)
        fields.push(text.slice(at, end))
        at = end
      } else {
        const value = text.slice(at + 1, closing)
        fields.push(value.replaceAll(marks.escaping + quote, quote))
        line += value.split('\n').length - 1
        at = closing + 1
      }
      if (text[at] !== delimiter) break
      at += 1
    }
    if (text[at] === '\r') at += 1
    if (text[at] === '\n') at += 1
    line += 1
    if (fields.some((field) => field !== '')) records.push({ fields, line: begun, end: line })
  }
  return { records, quoted, broken, isAll: at >= text.length }
}

/** Where the mark is that ends a field; -1 where none does, or something other than the end of a field follows it. */
function closingOf(text: string, from: number, { delimiter, quote, escaping }: Marks): number {
  for (let at = text.indexOf(quote, from); at !== -1; at = text.indexOf(quote, at + 1)) {
    if (escaping !== quote && text[at - 1] === escaping && at > from) continue
    if (escaping === quote && text[at + 1] === quote) {
      at += 1
      continue
    }
    const next = text[at + 1]
    return next === undefined || next === delimiter || next === '\n' || next === '\r' ? at : -1
  }
  return -1
}

function endOfPlain(text: string, from: number, delimiter: string): number {
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === delimiter || character === '\n' || character === '\r') return at
  }
  return text.length
}
