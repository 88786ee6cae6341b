import { jsonText } from '../../common/values.ts'
import type { Outgoing, OutgoingBody } from '../outgoing.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** The request with a header, in place of one of the same name in whatever spelling. */
export function withHeader(request: Outgoing, name: string, value: string): Outgoing {
  return { ...request, headers: { ...withoutHeader(request.headers, name), [name]: value } }
}

export function withQuery(request: Outgoing, name: string, value: string): Outgoing {
  const url = new URL(request.url)
  url.searchParams.set(name, value)
  return { ...request, url }
}

/** The value of a header, in whatever spelling its name is. */
export function headerOf({ headers }: Outgoing, name: string): string | undefined {
  const wanted = name.toLowerCase()
  return Object.entries(headers).find(([key]) => key.toLowerCase() === wanted)?.[1]
}

/** A body as it is sent, for signatures over it. */
export function bodyText(body: OutgoingBody | undefined): string {
  if (body === undefined) return ''
  return 'json' in body ? (jsonText(body.json) ?? 'null') : new URLSearchParams(body.form).toString()
}

/** The request with the type of its body, for signatures over that. */
export function withContentType(request: Outgoing): Outgoing {
  const { body } = request
  if (body === undefined || headerOf(request, 'content-type') !== undefined) return request
  return withHeader(request, 'content-type', 'json' in body ? 'application/json' : FORM_TYPE)
}

/** As RFC 3986 has it: all but letters, digits and `-._~`. */
export const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** The address with one spelling for each path and query, which a signature over them and the service have to share. */
export function plainlySpelt(given: URL): URL {
  const url = new URL(given)
  url.pathname = url.pathname.split('/').map(respelt).join('/')
  const pairs = [...url.searchParams].map(([name, value]) => `${percentEncoded(name)}=${percentEncoded(value)}`)
  url.search = pairs.join('&')
  return url
}

function respelt(segment: string): string {
  try {
    return percentEncoded(decodeURIComponent(segment))
  } catch {
    return percentEncoded(segment)
  }
}

function withoutHeader(headers: Outgoing['headers'], name: string): Record<string, string> {
  const wanted = name.toLowerCase()
  return Object.fromEntries(Object.entries(headers).filter(([key]) => key.toLowerCase() !== wanted))
}
