import type { NextPlace, Paging } from '../entry.ts'
import type { Answer } from '../outgoing.ts'
import { memberOf } from '../template/template.ts'
import { MORE, USUAL_ADDRESSES, USUAL_CURSORS } from './usual.ts'

/** What leads to the next page: the number or the text that is sent, or its address. */
export type PageToken = string | number

/** Headers with an address in them are no longer than this. */
const MAX_LINK = 16_384
const LINK = /<([^<>]*)>((?:\s*;\s*[^\s;,=]+(?:\s*=\s*(?:"[^"]*"|[^\s;,"]*))?)*)/g

/** What an answer says about the next page, at a place; undefined where it has no other. */
export function nextIn(
  place: NextPlace,
  kind: Paging['kind'],
  { answer, records }: { readonly answer: Answer; readonly records: readonly unknown[] }
): PageToken | undefined {
  if (place === 'usual') return usualNext(kind, answer)
  const [where, ...path] = pathOf(place)
  switch (where) {
    case 'link':
      return linkOf(answer.headers, path.join('.') || 'next')
    case 'header':
      return tokenOf(headerOf(answer.headers, path.join('.')))
    case 'last':
      return saysNoMore(answer.body, []) ? undefined : tokenOf(memberOf(records.at(-1), path))
    default:
      return saysNoMore(answer.body, path) ? undefined : tokenOf(foundAt(answer.body, path))
  }
}

/** Of `answer.@odata.nextLink` the name has a dot in it. */
function pathOf(place: NextPlace): string[] {
  const at = place.indexOf('.@')
  return at < 0 ? place.split('.') : [...place.slice(0, at).split('.'), place.slice(at + 1)]
}

function usualNext(kind: Paging['kind'], answer: Answer): PageToken | undefined {
  const isAddress = kind === 'next-url'
  const linked = isAddress ? linkOf(answer.headers, 'next') : undefined
  if (linked !== undefined) return linked
  for (const path of isAddress ? USUAL_ADDRESSES : USUAL_CURSORS) {
    const token = tokenOf(foundAt(answer.body, path))
    if (token === undefined || (isAddress && !isAddressText(token))) continue
    return saysNoMore(answer.body, path) ? undefined : token
  }
  return undefined
}

/** A name with dots in it may be one name, too. */
function foundAt(body: unknown, path: readonly string[]): unknown {
  return memberOf(body, path) ?? (path.length > 1 ? memberOf(body, [path.join('.')]) : undefined)
}

const isAddressText = (token: PageToken) => typeof token === 'string' && /^(?:https?:\/\/|\/|\?)/i.test(token)

/** A text or number that leads on. Nothing, `false`, `0` and an empty text say that there is nothing; some have an address within an object. */
function tokenOf(value: unknown): PageToken | undefined {
  if (typeof value === 'string') return value === '' || value === '0' || value === 'null' ? undefined : value
  if (typeof value === 'number') return value === 0 || !Number.isFinite(value) ? undefined : value
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return tokenOf(value.find((one) => memberOf(one, ['rel']) === 'next'))
  const inner = memberOf(value, ['href']) ?? memberOf(value, ['url'])
  return typeof inner === 'string' ? tokenOf(inner) : undefined
}

/** Beside what leads on, or at the top, some say whether there is more. */
function saysNoMore(body: unknown, path: readonly string[]): boolean {
  const holders = [memberOf(body, path.slice(0, -1)), body]
  return holders.some(
    (holder) => MORE.some((name) => memberOf(holder, [name]) === false) || memberOf(holder, ['end_of_stream']) === true
  )
}

function headerOf(headers: Answer['headers'], name: string): string | undefined {
  const value = headers[name.toLowerCase()]
  return Array.isArray(value) ? value[0] : value
}

/** The address with a relation in the header Link (RFC 8288). */
function linkOf(headers: Answer['headers'], relation: string): string | undefined {
  const header = headers.link
  const text = (Array.isArray(header) ? header.join(', ') : (header ?? '')).slice(0, MAX_LINK)
  for (const [, address, told = ''] of text.matchAll(LINK)) {
    // Some name a next page always, and say beside it whether there is something.
    if (/;\s*results\s*=\s*"?false/i.test(told)) continue
    const [, quoted, plain] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]*))/i.exec(told) ?? []
    if ((quoted ?? plain ?? '').toLowerCase().split(/\s+/).includes(relation.toLowerCase())) return address || undefined
  }
  return undefined
}
