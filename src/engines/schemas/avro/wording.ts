import type { Words } from '../rules.ts'

const MAX_LIST = 10

/** What the words in sentences of rules stand for. */
export const words = {
  before: ({ before }) => String(before),
  after: ({ after }) => String(after),
  where: ({ path }) => where(path),
  Where: ({ path }) => capital(where(path)),
  at: ({ path }) => at(path),
  property: ({ path }) => lastToken(path),
  'value before': ({ before }) => said(before),
  'value after': ({ after }) => said(after),
  'fields before': ({ before }) => listed(before),
  'logical before': ({ before }) => logical(before),
  'logical after': ({ after }) => logical(after),
  'fallback before': ({ before }) => fallback(before),
  'fallback after': ({ after }) => fallback(after)
} satisfies Words

/** The place a path is about, for sentences: `field customer.tags[]`, or `the top level`. */
function where(path: string): string {
  const tokens = path.split('/').slice(1)
  let place = ''
  let isType = true
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] ?? ''
    const next = tokens[at + 1]
    if (token === 'fields' && isType) {
      if (next === undefined) break
      place += place === '' ? next : `.${next}`
      at++
      isType = false
    } else if (!isType && token === 'type') isType = true
    else if (!isType) break
    else if (token === 'items') place += '[]'
    else if (token === 'values') place += '{}'
  }
  if (place === '') return 'the top level'
  return /^[[{]/.test(place) ? `the top level ${place}` : `field ${place}`
}

/** The place within a sentence: `in field customer.age`. */
function at(path: string): string {
  const place = where(path)
  return place.startsWith('field ') ? `in ${place}` : `at ${place}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function lastToken(path: string): string {
  return path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
}

/** A value within a sentence. */
function said(value: unknown): string {
  return value === undefined ? 'not there' : JSON.stringify(value)
}

function listed(values: unknown): string {
  const list = Array.isArray(values) ? values.map(String) : [String(values)]
  return list.length > MAX_LIST
    ? `${list.slice(0, MAX_LIST).join(', ')} and ${list.length - MAX_LIST} more`
    : list.join(', ')
}

function logical(type: unknown): string {
  return String(type ?? 'values without a logical type')
}

/** What becomes of symbols that a reader does not know. */
function fallback(symbol: unknown): string {
  return symbol === undefined ? 'refused' : `read as ${symbol}`
}
