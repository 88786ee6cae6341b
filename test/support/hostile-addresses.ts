import type { Route } from '../../src/http/route.ts'
import type { Schema } from './hostile-bodies.ts'

/** Query strings that the operation must refuse. */
export function badQueries(route: Route): string[] {
  const properties = (route.query as Schema | undefined)?.properties ?? {}
  const isOpen = route.foreign !== undefined && (route.query as Schema | undefined)?.additionalProperties !== false
  const bad = ['%00=1', 'a%00b']
  if (!isOpen) {
    bad.push('unknown=1', '__proto__=1', 'constructor=1', 'unknown', 'a[]=1', 'unknown=%ff', 'x'.repeat(3000))
  }
  for (const [name, schema] of Object.entries(properties)) {
    bad.push(`${name}=1&${name}=1`, `${name}=a%00b`, `${name}=${'x'.repeat(5000)}`)
    if (schema.minLength !== undefined || schema.enum !== undefined || schema.format !== undefined) bad.push(`${name}=`)
    if (schema.enum !== undefined)
      bad.push(`${name}=__proto__`, `${name}=${encodeURIComponent(`${schema.enum[0]},${schema.enum[0]}`)}`)
    if (schema.type === 'boolean') bad.push(`${name}=maybe`, `${name}=`, `${name}=2`)
    if (schema.format === 'date-time')
      bad.push(`${name}=now`, `${name}=2016-12-31T23:59:60Z`, `${name}=0`, `${name}=2026-13-01T00:00:00Z`)
    if (schema.type === 'integer') {
      const bounds = [(schema.minimum ?? 0) - 1, (schema.maximum ?? 0) + 1]
      const { minimum = 0, maximum = 0 } = schema
      const isAllowed = (text: string) => /^-?\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
      const numbers = BAD_NUMBERS.filter((text) => !(minimum < 1 && isAllowed(text)))
      for (const value of [...numbers, ...bounds]) bad.push(`${name}=${value}`)
    }
  }
  return bad
}

const BAD_NUMBERS = [
  '-1',
  '1.5',
  'ten',
  '',
  'NaN',
  'Infinity',
  '1e400',
  '1e308',
  '18446744073709551616',
  '-0',
  'null',
  'true',
  '[]',
  '1%2C2'
]

/** Encodes a cursor as the server does. */
export const encodeCursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Cursors that no list has made, for a list in the order `sort`. */
export function badCursors(sort: string, otherSort: string): [label: string, cursor: string][] {
  const good = { s: sort, k: 'a', i: 'a', t: 1 }
  return [
    ['empty', ''],
    ['garbage', 'garbage'],
    ['not base64', '§§§'],
    ['null', encodeCursor(null)],
    ['a number', encodeCursor(1)],
    ['an array', encodeCursor([])],
    ['nested', Buffer.from('['.repeat(1400)).toString('base64url')],
    ['other JSON', encodeCursor({ a: 1 })],
    ['another order', encodeCursor({ ...good, s: otherSort })],
    ['no order', encodeCursor({ ...good, s: undefined })],
    ['an object for a value', encodeCursor({ ...good, k: {} })],
    ['null for a value', encodeCursor({ ...good, k: null })],
    ['a number for an id', encodeCursor({ ...good, i: 1 })],
    ['a NUL', encodeCursor({ ...good, i: 'a\0' })],
    ['a text for a total', encodeCursor({ ...good, t: '1' })],
    ['too long', 'a'.repeat(2001)]
  ]
}

/** Path segments that can't be the name of anything. */
export const BAD_IDS = [
  '%00',
  'a%00b',
  '%ff',
  '%c0%80',
  '%ed%a0%80',
  '%',
  '%zz',
  'x'.repeat(65),
  'x'.repeat(5000),
  `${'a'.repeat(199)}${encodeURIComponent('😀')}`,
  encodeURIComponent('😀'.repeat(300))
]

/** Path segments that are known to trouble servers. */
export const ODD_IDS = [
  '..',
  '.',
  '%2e%2e',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  'a%2fb',
  '%5c',
  '__proto__',
  'constructor',
  '%20',
  "'%20or%201=1--",
  '%25',
  '*',
  '%0d%0ax:y',
  encodeURIComponent('ÿ\u2028')
]

/** Authorization headers that belong to no caller. */
export const BAD_CREDENTIALS = [
  '',
  'Bearer',
  'Bearer ',
  'Bearer x y',
  'Basic YTpi',
  'Bearer mr_x',
  'Bearer a.b.c',
  'Bearer \xff\xfe',
  `Bearer ${'a'.repeat(12_000)}`
]

export const BAD_MEDIA_TYPES = [
  undefined,
  '',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/jsonx',
  'application/problem+json',
  ';;',
  '*/*'
]

export const ODD_HEADERS: Record<string, string>[] = [
  { 'if-match': 'garbage' },
  { 'if-match': '"v1", "v2", W/"', 'if-none-match': '*,,"' },
  { 'x-request-id': 'x'.repeat(5000) },
  { 'x-request-id': 'a b' },
  { accept: 'nonsense' },
  { accept: ',;q=,*/*;q=x' },
  { expect: 'the unexpected' },
  { connection: 'upgrade', upgrade: 'websocket' },
  { 'x-forwarded-for': "'; drop table users; --" },
  { 'user-agent': `\xff\xfe${'u'.repeat(3000)}` },
  { traceparent: 'x'.repeat(300) },
  { 'content-encoding': 'gzip' },
  { 'transfer-encoding': 'chunked' },
  { cookie: 'a=b; '.repeat(1000) }
]

export const BAD_IDEMPOTENCY_KEYS = ['', ' ', 'a b', '""', 'é', 'k'.repeat(256)]
