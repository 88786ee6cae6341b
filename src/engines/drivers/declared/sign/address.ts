import { SourceError } from '../../errors.ts'
import type { Template } from '../entry.ts'
import { fill, namesIn, type Scope } from '../template/template.ts'
import { pointerOf } from './values.ts'

/** Scheme, host and port, and what follows them. A name in braces may have a slash in what it is unless given. */
const PARTS = /^(https?:\/\/)?((?:\{[^{}]*\}|[^/?#{}])*)(.*)$/is
/** Letters, digits and what else a host and a port are made of; nothing in it begins a path or names a user. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * The address that a template names. A value behind `https://` is a host or part of its name, and never becomes another
 * host or a path; one that the template begins with is an address that the user gives, with or without `https://`.
 */
export function addressOf(template: Template, scope: Scope): URL {
  const [, scheme, host = '', rest = ''] = PARTS.exec(template) ?? []
  const isWhole = scheme !== undefined && /^\{[^{}]*\}$/.test(host)
  const start = fill(host, scope, isWhole ? hostIn : undefined)?.trim()
  const end = fill(rest, scope, encoded)
  if (start === undefined || end === undefined) {
    const name = namesIn(template).find((one) => fill(`{${one}}`, scope) === undefined)
    throw new SourceError('bad_request', `The address needs ${name}, which has no value`, pointerOf(template, name))
  }
  const url = scheme === undefined ? givenAddress(start, end) : namedHost(scheme, start, end)
  if (url !== null && url.username === '' && url.password === '') return url
  throw new SourceError('bad_request', 'This makes no address; give a host without anything around it', pointerOf(host))
}

/** Half a sign of two halves has no such form. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed())

/** The names in the part of an address that says which server it is. */
export const hostNames = (template: Template): string[] => namesIn(PARTS.exec(template)?.[2] ?? '')

/** People copy whole hosts out of addresses. */
const hostIn = (given: string) =>
  given
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/+$/, '')

const namedHost = (scheme: string, host: string, rest: string): URL | null =>
  HOST.test(host) ? URL.parse(`${scheme}${host}${rest}`) : null

function givenAddress(given: string, rest: string): URL | null {
  const start = /^https?:\/\//i.test(given) ? given : `https://${given}`
  return URL.parse(rest.startsWith('/') ? start.replace(/\/+$/, '') + rest : start + rest)
}
