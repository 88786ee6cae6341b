const LINE_FEED = 10
const RETURN = 13
const SPACE = 32
const NEAR_BYTES = 1 << 16

/** How records of a text are told apart. */
export interface RecordRules {
  /** Undefined where each line is a record, whatever is in it; -1 where nothing is quoted. */
  readonly quote: number | undefined
  readonly delimiter: Buffer
}

export type RecordEnd =
  /** The record ends before `end`, with the line break, `breakBytes` long. */
  | { readonly kind: 'whole'; readonly end: number; readonly breakBytes: number }
  /** It goes on behind what is there. */
  | { readonly kind: 'open' }
  /** A quote is not closed as it should be, or a line ends in the middle. */
  | { readonly kind: 'broken' }

const OPEN: RecordEnd = { kind: 'open' }
const BROKEN: RecordEnd = { kind: 'broken' }

/** Finds where the record ends that begins at `from`. */
export function findRecordEnd(text: Buffer, from: number, isAll: boolean, rules: RecordRules): RecordEnd {
  for (let at = from; ; ) {
    const field = skipSpaces(text, at, rules)
    if (field >= text.length) return isAll ? ending(text.length, 0) : OPEN
    const end = text[field] === rules.quote ? quotedEnd(text, field, isAll, rules) : plainEnd(text, at, rules)
    if (typeof end !== 'number') return end
    if (end >= text.length) return isAll ? ending(text.length, 0) : OPEN
    if (text[end] === LINE_FEED) return ending(end + 1, 1)
    if (text[end] === RETURN) {
      if (end + 1 >= text.length) return isAll ? ending(text.length, 1) : OPEN
      return text[end + 1] === LINE_FEED ? ending(end + 2, 2) : BROKEN
    }
    if (!isAt(text, end, rules.delimiter)) {
      return !isAll && text.length - end < rules.delimiter.length ? OPEN : BROKEN
    }
    at = end + rules.delimiter.length
  }
}

const ending = (end: number, breakBytes: number): RecordEnd => ({ kind: 'whole', end, breakBytes })

/** Spaces may stand before and after quotes. */
function skipSpaces(text: Buffer, from: number, { quote, delimiter }: RecordRules): number {
  let at = from
  if (quote === undefined || delimiter[0] === SPACE) return at
  while (text[at] === SPACE) at += 1
  return at
}

/** Where the delimiter or line break after a quoted field should be. */
function quotedEnd(text: Buffer, from: number, isAll: boolean, rules: RecordRules): number | RecordEnd {
  for (let at = from + 1; ; at += 2) {
    at = text.indexOf(rules.quote as number, at)
    if (at === -1) return isAll ? BROKEN : OPEN
    if (at + 1 >= text.length && !isAll) return OPEN
    if (text[at + 1] !== rules.quote) return skipSpaces(text, at + 1, rules)
  }
}

function plainEnd(text: Buffer, from: number, { delimiter, quote }: RecordRules): number {
  if (quote === undefined) {
    const end = text.indexOf(LINE_FEED, from)
    if (end === -1) return text.length
    return text[end - 1] === RETURN && end > from ? end - 1 : end
  }
  const [first] = delimiter
  const near = Math.min(text.length, from + NEAR_BYTES)
  for (let at = from; at < near; at++) {
    const byte = text[at]
    if (byte === LINE_FEED || byte === RETURN) return at
    if (byte === first && isAt(text, at, delimiter)) return at
  }
  // Searches are faster, but each of them may go to the end of what is there.
  const ends = [delimiter, LINE_FEED, RETURN].map((sign) => text.indexOf(sign, near)).filter((at) => at !== -1)
  return Math.min(text.length, ...ends)
}

function isAt(text: Buffer, at: number, part: Buffer): boolean {
  for (let i = 0; i < part.length; i++) if (text[at + i] !== part[i]) return false
  return true
}
