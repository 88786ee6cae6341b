import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../errors.ts'
import { DIGEST_HEADERS, DigestCheck } from './digests.ts'
import { headerNotSupported } from './header-problems.ts'
import type { Route } from './route.ts'

const CONDITIONS = ['if-match', 'if-none-match', 'if-unmodified-since', 'if-range'] as const

/** The encodings that operations declare which unpack gzip. */
export const GZIP = ['gzip', 'x-gzip'] as const

export const isGzip = (headers: IncomingHttpHeaders): boolean =>
  (GZIP as readonly string[]).includes(headers['content-encoding']?.trim().toLowerCase() ?? '')

/**
 * Refuses headers that would change what a request or its body means and that the operation does not understand.
 * Ignored, they would make us take a part for the whole or packed bytes for the content, or write although a
 * condition forbids it.
 */
export function headersUnderstood(route: Route) {
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    try {
      requireUnderstood(route, request.headers)
      done()
    } catch (error) {
      done(route.refusal === undefined ? (error as Error) : new Problem(route.refusal, { cause: error as Error }))
    }
  }
}

function requireUnderstood(route: Route, headers: IncomingHttpHeaders): void {
  // Each by its name: every request pays for this, and a loop costs three times as much.
  refuseOverride('x-http-method-override', headers['x-http-method-override'])
  refuseOverride('x-http-method', headers['x-http-method'])
  refuseOverride('x-method-override', headers['x-method-override'])
  if (route.method === 'GET') return
  if (headers['content-range'] !== undefined) {
    throw headerNotSupported('content-range', 'A part can’t be put into its place here; send the whole content.')
  }
  const understood = conditionsOf(route)
  for (const header of CONDITIONS) {
    if (headers[header] === undefined || understood.includes(header)) continue
    const others = understood.length === 0 ? '' : ` It takes ${understood.join(' and ')}.`
    throw headerNotSupported(header, `The operation can’t depend on it; send it without.${others}`)
  }
  const trailer = headers.trailer?.toLowerCase().split(/[\s,]+/) ?? []
  if (DIGEST_HEADERS.some((header) => trailer.includes(header))) {
    throw headerNotSupported('trailer', 'A digest is only read before the body; send it as a header.')
  }
  const digests = new DigestCheck(headers)
  if (hasBody(headers)) requireEncoding(route, headers['content-encoding'])
  else digests.require()
}

function refuseOverride(header: string, value: string | string[] | undefined): void {
  if (value === undefined) return
  throw headerNotSupported(header, `Send the request as ${String(value).slice(0, 20).toUpperCase()}.`)
}

/** The conditions that the operation heeds: every change heeds the version of what it changes. */
function conditionsOf({ change, conditions = [] }: Route): readonly string[] {
  return change === undefined ? conditions : ['if-match']
}

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function requireEncoding({ stream }: Route, header: string | undefined): void {
  const { encodings = [] } = stream ?? {}
  const encoding = header?.trim().toLowerCase() ?? ''
  if (['', 'identity', ...encodings].includes(encoding)) return
  const accepted = [...encodings, 'identity']
  const detail = `The Content-Encoding may be ${accepted.join(' or ')}; send the content as it is, under the media type that it has.`
  throw new Problem('unsupported_media_type', { detail, headers: { 'accept-encoding': accepted.join(', ') } })
}
