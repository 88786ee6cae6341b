import { SourceError } from '../errors.ts'

/** A part of an answer: rows of one measurement. */
export interface Series {
  readonly name: string
  readonly columns: readonly string[]
  readonly values: readonly (readonly unknown[])[]
}

interface Answer {
  readonly error?: string
  readonly results?: readonly { readonly error?: string; readonly series?: readonly Series[] }[]
}

type Reviver = (key: string, value: unknown, context: { readonly source?: string }) => unknown

/** Whole numbers that JSON.parse would round. */
const LARGE = /[[,:]-?\d{16,}[\],}]/

/** Numbers that have no exact form otherwise become whole numbers of any size. */
const exactly: Reviver = (_, value, { source }) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && source !== undefined && /^-?\d+$/.test(source)
    ? BigInt(source)
    : value

/** A line of an answer; what the server says instead of rows is given to `refused`. */
export function seriesIn(line: string, refused: (said: string) => SourceError): readonly Series[] {
  let answer: Answer
  try {
    answer = JSON.parse(line, LARGE.test(line) ? (exactly as (key: string, value: unknown) => unknown) : undefined)
  } catch {
    throw new SourceError('unavailable', 'What answers there does not speak InfluxQL; check host and port', '/port')
  }
  const said = answer.error ?? answer.results?.find(({ error }) => error !== undefined)?.error
  if (said !== undefined) throw refused(said)
  return answer.results?.flatMap(({ series = [] }) => series) ?? []
}
