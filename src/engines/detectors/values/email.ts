import { isAsciiLetter, isDigit, tableOf } from '../chars.ts'
import { detector, type Found, MATCH, NO } from '../detector.ts'
import { WordSet } from '../word-set.ts'

const LONGEST = 254
const DOT = 46
const DASH = 45
/** `logo@2x.png` is a file. */
const FILE_ENDINGS = new WordSet(
  ['png', 'jpg', 'jpeg', 'gif', 'svg', 'webp', 'pdf', 'css', 'js', 'json', 'csv', 'log'],
  'exact'
)

/** Blanks and " ( ) , : ; < > @ [ \ ] end an address; all else may be in one. */
const IN_LOCAL = tableOf((code) => code > 32 && !'"(),:;<>@[\\]'.includes(String.fromCharCode(code)))
const IN_DOMAIN = tableOf((code) => isAsciiLetter(code) || isDigit(code) || code === DASH)

/** An address, alone, in pointed brackets behind a name, or before others. */
function look(value: string): Found {
  if (value.length < 6 || value.length > LONGEST) return NO
  const at = value.indexOf('@')
  if (at < 1) return NO
  const isBracketed = value.charCodeAt(value.length - 1) === 62
  const from = isBracketed ? value.lastIndexOf('<', at) + 1 : 0
  const to = isBracketed ? value.length - 1 : value.length
  if (isBracketed && from === 0) return NO
  return (isLocal(value, from, at) && isDomain(value, at + 1, to)) || isOneOfSeveral(value) ? MATCH : NO
}

const MAILTO = 'mailto:'

/** An address of a list, with commas or semicolons between, or with what links have before it; of a list the first counts. */
function isOneOfSeveral(value: string): boolean {
  if (value.startsWith(MAILTO)) return look(value.slice(MAILTO.length)) === MATCH
  const end = value.search(/[,;]/)
  const at = value.indexOf('@')
  return end > at && value.indexOf('@', end) !== -1 && look(value.slice(0, end).trimEnd()) === MATCH
}

function isLocal(value: string, from: number, to: number): boolean {
  if (to - from < 1 || to - from > 64) return false
  if (value.charCodeAt(from) === DOT || value.charCodeAt(to - 1) === DOT) return false
  for (let at = from; at < to; at++) {
    const code = value.charCodeAt(at)
    if (code < 128 && IN_LOCAL[code] === 0) return false
  }
  return true
}

/** Labels with dots between them, of which the last is no number. */
function isDomain(value: string, from: number, to: number): boolean {
  let start = from
  let labels = 1
  let before = DOT
  for (let at = from; at < to; at++) {
    const code = value.charCodeAt(at)
    if (code === DOT) {
      if (before === DOT || before === DASH || at - start > 63) return false
      labels++
      start = at + 1
    } else if (code < 128 && IN_DOMAIN[code] === 0) return false
    else if (code === DASH && before === DOT) return false
    before = code
  }
  if (labels < 2 || before === DASH || to - start < 2 || to - start > 63) return false
  return !isDigit(value.charCodeAt(start)) && !FILE_ENDINGS.has(value, start, to)
}

export const email = detector({ kind: 'email', form: 'E-mail address', alone: 0.97, chance: 0.001, look })
