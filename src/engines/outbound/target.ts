import { BoundedMap } from '../bounded-map.ts'
import { OutboundError } from './errors.ts'
import { type Host, parseHost } from './host.ts'

/** Where a call goes, taken from a URL. */
export interface Target {
  readonly secure: boolean
  readonly host: Host
  readonly port: number
  readonly origin: string
  /** Path and query. */
  readonly path: string
  /** Host and port, for messages. */
  readonly where: string
}

/** The same few addresses are called again and again, and to take one apart takes longer than to judge it. */
const known = new BoundedMap<string, Target>(200)

export function parseTarget(text: string): Target {
  let target = known.get(text)
  if (target === undefined) {
    target = takeApart(text)
    known.set(text, target)
  }
  return target
}

/** The URL is never repeated in an error: its path and query often hold a token. */
function takeApart(text: string): Target {
  const url = URL.parse(text)
  if (url === null) throw badUrl('The URL is not valid; give one such as https://example.com/path')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw badUrl('Only http and https URLs can be called; change the scheme')
  }
  if (url.username !== '' || url.password !== '') throw badUrl('The URL has credentials in it; put them in a header')
  const secure = url.protocol === 'https:'
  const port = url.port === '' ? (secure ? 443 : 80) : Number(url.port)
  const { host, where } = parseEndpoint(url.hostname, port)
  const hostInUrl = host.address?.kind() === 'ipv6' ? `[${host.text}]` : host.text
  const origin = `${url.protocol}//${hostInUrl}${url.port === '' ? '' : `:${port}`}`
  return { secure, host, port, origin, path: url.pathname + url.search, where }
}

export function parseEndpoint(hostText: string, port: number): { host: Host; where: string } {
  const host = parseHost(hostText)
  if (host === undefined) throw badUrl('The host is not a valid name or address; check its spelling')
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw badUrl('The port must be from 1 to 65535; change it')
  return { host, where: host.address?.kind() === 'ipv6' ? `[${host.text}]:${port}` : `${host.text}:${port}` }
}

function badUrl(message: string): OutboundError {
  return new OutboundError('bad_url', message)
}
