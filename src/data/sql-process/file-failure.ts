import { DataError } from '../errors.ts'

/** What is wrong in a file, and where. No value is told: who reads the message may not be one who may read the data. */
export interface FileFailure {
  readonly message: string
  /** Whether statements about other columns may find nothing wrong. */
  readonly isOfColumn: boolean
  /** That column, where it is told. */
  readonly column?: string
}

/**
 * What DuckDB says of a CSV or JSON file that it can't read, in words that help whoever has stored it. DuckDB quotes the whole
 * line, and advises options of its reader, which nobody can set here. Undefined for any other message.
 */
export function fileFailureOf(text: string, nameOf: (path: string) => string): FileFailure | undefined {
  const csv = /^CSV Error on Line: (\d+)\n/.exec(text)
  if (csv !== null) {
    // DuckDB's own lines come after the one that it quotes, so the last that look like them are.
    const where = `Line ${csv[1]} of ${nameOf(lastOf(/^ {2}file = (.*)$/gm, text)?.[1] ?? '')}`
    return csvFailureOf(text, where)
  }
  const sniffed = /^Error when sniffing file "([^"\n]*)"/.exec(text)
  if (sniffed !== null) {
    return ofAll(`${nameOf(sniffed[1] as string)} can't be read as CSV: its delimiter can't be made out.`)
  }
  if (text.startsWith('The CSV Parser state machine reached an invalid state')) {
    const name = nameOf(lastOf(/^ {2}file = (.*)$/gm, text)?.[1] ?? '')
    return ofAll(`${name} has lines that end in different ways, with and without a carriage return: store it with one.`)
  }
  const malformed = /^Malformed JSON in file "([^"\n]*)", at byte (\d+) in [a-z/]+ (\d+): ([a-z ,]*)/.exec(text)
  if (malformed !== null) {
    // It counts one too many here, and only here.
    const [, file = '', byte, next, what = ''] = malformed
    return ofAll(`Value ${Number(next) - 1} of ${nameOf(file)} is no JSON, from its byte ${byte} on: ${what.trim()}.`)
  }
  const transformed = /^JSON transform error in file "([^"\n]*)", in [a-z/]+ (\d+): ([A-Za-z ]*)/.exec(text)
  if (transformed !== null) {
    const [, file = '', line, what = ''] = transformed
    return ofColumn(
      `Value ${line} of ${nameOf(file)} is not like those at the beginning: ${what.trim()}. ${LIKE_THE_FIRST}`
    )
  }
}

const ofAll = (message: string): FileFailure => ({ message, isOfColumn: false })
const ofColumn = (message: string): FileFailure => ({ message, isOfColumn: true })

const LIKE_THE_FIRST = 'Mend it, or have the first values of a column show that it holds such texts too.'

function csvFailureOf(text: string, where: string): FileFailure {
  const converting = lastOf(/^Error when converting column "(.*)"\. Could not convert string/gm, text)
  if (converting !== undefined) {
    const column = converting[1] as string
    const type = lastOf(/ to '([A-Z0-9_ (),]+)'$/gm, text)?.[1]
    const taken = type === undefined ? 'what the first values are' : `${type}, which the first values are`
    return { ...ofColumn(`${where}: the value of the column ${column} is not ${taken}. ${LIKE_THE_FIRST}`), column }
  }
  const [, expected, found] = lastOf(/^Expected Number of Columns: (\d+) Found: (\d+)$/gm, text) ?? []
  if (expected !== undefined) return ofAll(`${where} has ${found} columns where ${expected} are expected.`)
  if (/^Value with unterminated quote found\.$/m.test(text)) {
    return ofAll(openQuoteIn(where))
  }
  if (/^Invalid unicode /m.test(text)) return ofColumn(`${where} is not in UTF-8. Store the file in UTF-8.`)
  if (/^Maximum line size /m.test(text)) return ofAll(`${where} is too long for a line of CSV.`)
  return ofAll(`${where} can't be read as CSV.`)
}

const openQuoteIn = (where: string) => `${where} has a quotation mark that begins a value and none that ends it.`

/** What is wrong where that is found out before DuckDB says so. */
export const openQuote = (where: string): DataError => new DataError('data_unreadable', openQuoteIn(where))

const lastOf = (pattern: RegExp, text: string): RegExpExecArray | undefined => [...text.matchAll(pattern)].at(-1)
