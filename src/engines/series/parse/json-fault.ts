/** The token that may come next. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | 'colon' | 'comma or end' | 'nothing'

const BLANKS = /[ \t\r\n]*/y
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y
const UNICODE = /u[\da-fA-F]{4}/y

/**
 * The position at which a text that `JSON.parse` refuses stops being JSON; the errors of `JSON.parse` do not always
 * say. It only finds the position: it does not decide whether a text is JSON.
 */
export function jsonFaultAt(text: string): number {
  const open: string[] = []
  let expected: Expected = 'value'
  let at = 0
  for (;;) {
    at = endOf(BLANKS, text, at)
    const next = afterToken(expected, text[at], open)
    if (next === undefined) return at
    const end = tokenEnd(text, at)
    if (end <= at) return Math.abs(end)
    expected = next
    at = end
  }
}

function afterToken(expected: Expected, first: string | undefined, open: string[]): Expected | undefined {
  const takesValue = expected === 'value' || expected === 'value or ]'
  const takesKey = expected === 'key' || expected === 'key or }'
  if (first === undefined) return undefined
  if (first === '{' || first === '[') {
    if (!takesValue) return undefined
    open.push(first)
    return first === '{' ? 'key or }' : 'value or ]'
  }
  if (first === '}' || first === ']') {
    const isEmpty = expected === (first === '}' ? 'key or }' : 'value or ]')
    if ((!isEmpty && expected !== 'comma or end') || open.pop() !== (first === '}' ? '{' : '[')) return undefined
    return afterValue(open)
  }
  if (first === ',') {
    if (expected !== 'comma or end') return undefined
    return open.at(-1) === '{' ? 'key' : 'value'
  }
  if (first === ':') return expected === 'colon' ? 'value' : undefined
  if (takesKey) return first === '"' ? 'colon' : undefined
  return takesValue ? afterValue(open) : undefined
}

function afterValue(open: readonly string[]): Expected {
  return open.length === 0 ? 'nothing' : 'comma or end'
}

/** The end of a token. Where the token is wrong: its start, or the position of the fault as a number below zero. */
function tokenEnd(text: string, start: number): number {
  const first = text[start] as string
  if ('{}[],:'.includes(first)) return start + 1
  if (first !== '"') return endOf(SCALAR, text, start)
  for (let at = start + 1; ; at++) {
    const character = text[at]
    if (character === '"') return at + 1
    if (character === undefined || character < ' ') return -at
    if (character !== '\\') continue
    at++
    const isEscape = '"\\/bfnrt'.includes(text[at] ?? ' ') || endOf(UNICODE, text, at) > at
    if (!isEscape) return -at
  }
}

function endOf(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : start
}
