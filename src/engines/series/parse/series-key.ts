import { COMMA, EQUALS, NEWLINE } from './bytes.ts'
import { nextSpecial, readMeasurement, readName } from './escapes.ts'
import { LineRefusal } from './line-refusal.ts'
import { MAX_NAME_BYTES, nameTooLong } from './tag-limits.ts'
import { emptyLabels } from './tag-name.ts'

/** A longer series has too long a name, however it is escaped; its labels are not even counted. */
const MAX_SERIES_BYTES = MAX_NAME_BYTES * 16
const TOO_LONG = nameTooLong()

/** The positions of the measurement and the labels of a line, in bytes. */
export interface SeriesSpans {
  start: number
  measurementEnd: number
  end: number
  /** Alternating: the position of a label's equals sign, and of the label's end. */
  readonly labels: number[]
}

/** A measurement and labels as texts. */
export interface SeriesTexts {
  readonly measurement: string
  readonly labels: Readonly<Record<string, string>>
}

/** Finds the parts of `measurement,key=value,…`, from its first byte. */
export function scanSeries(bytes: Buffer, start: number, spans: SeriesSpans): LineRefusal | undefined {
  let at = nextSpecial(bytes, start)
  while (bytes[at] === EQUALS) at = nextSpecial(bytes, at + 1)
  if (at === start) return new LineRefusal('invalid_line', 'the line must begin with a measurement', start)
  spans.start = start
  spans.measurementEnd = at
  spans.labels.length = 0
  while (bytes[at] === COMMA) {
    if (at - start > MAX_SERIES_BYTES) return new LineRefusal(TOO_LONG.code, TOO_LONG.message, start, at)
    const refusal = scanLabel(bytes, at + 1, spans.labels)
    if (refusal !== undefined) return refusal
    at = spans.labels[spans.labels.length - 1] as number
  }
  spans.end = at
  if (bytes[at] === NEWLINE) return new LineRefusal('invalid_line', 'a space and a field must follow', at)
  return undefined
}

function scanLabel(bytes: Buffer, start: number, labels: number[]): LineRefusal | undefined {
  const equals = nextSpecial(bytes, start)
  if (equals === start)
    return new LineRefusal('invalid_name', 'after a comma here the key of a label must follow', start)
  if (bytes[equals] !== EQUALS) {
    return new LineRefusal('invalid_name', 'the label has no equals sign and value', start, equals, 'shows')
  }
  const end = nextSpecial(bytes, equals + 1)
  if (bytes[end] === EQUALS) {
    return new LineRefusal('invalid_name', 'an equals sign in the value of a label needs a backslash before it', end)
  }
  if (end === equals + 1) {
    return new LineRefusal('invalid_name', 'the label has no value: leave it out', start, equals, 'shows')
  }
  labels.push(equals, end)
  return undefined
}

/** The texts at the positions that `scanSeries` has found. */
export function readSeries(bytes: Buffer, spans: SeriesSpans): SeriesTexts | LineRefusal {
  const { start, measurementEnd } = spans
  const measurement = readMeasurement(bytes, start, measurementEnd)
  if (measurement === undefined) return notText('the measurement', start)
  const labels = emptyLabels()
  let keyStart = measurementEnd + 1
  for (let index = 0; index < spans.labels.length; index += 2) {
    const equals = spans.labels[index] as number
    const end = spans.labels[index + 1] as number
    const key = readName(bytes, keyStart, equals)
    const value = readName(bytes, equals + 1, end)
    if (key === undefined || value === undefined) return notText('the label', keyStart)
    if (key in labels) {
      return new LineRefusal('invalid_name', 'the label stands there twice', keyStart, equals, 'shows')
    }
    labels[key] = value
    keyStart = end + 1
  }
  return { measurement, labels }
}

export function notText(what: string, start: number, end = start): LineRefusal {
  return new LineRefusal('invalid_text', `${what} must be UTF-8 without NUL characters`, start, end)
}
