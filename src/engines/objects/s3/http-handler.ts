import { Readable } from 'node:stream'
import type { GuardedAgents } from '../../outbound/agent.ts'
import { joinedHeaders } from '../remote/answer.ts'
import { type Body, exchange } from '../remote/exchange.ts'
import { LostConnection } from '../remote/network-errors.ts'

/** A request of the vendor's client. */
export interface WireRequest {
  readonly protocol: string
  readonly hostname: string
  readonly port?: number
  readonly method: string
  readonly path: string
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>
  readonly headers: Record<string, string>
  readonly body?: unknown
}

/**
 * Replaces the vendor's own HTTP, whose time limits count pauses of the reader, and which does not tell whether TLS
 * failed.
 */
export function createHttpHandler(agents: GuardedAgents) {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request: WireRequest) {
      const { protocol, hostname, port, method, headers } = request
      const secure = protocol === 'https:'
      const origin = { secure, host: hostname, port: port ?? (secure ? 443 : 80) }
      const message = { method, headers, path: pathOf(request), body: bodyOf(request) }
      const answer = await exchange(origin, message, { agents }).catch((error) => {
        // The vendor's mark for an error that another attempt may mend.
        throw error instanceof LostConnection ? Object.assign(error, { $retryable: {} }) : error
      })
      const { statusCode = 0 } = answer
      return { response: { statusCode, headers: joinedHeaders(answer.headers), body: answer } }
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({})
  }
}

function bodyOf({ body }: WireRequest): Body {
  if (body instanceof Readable) return body
  return body === undefined || body === null ? [] : [body as Uint8Array | string]
}

function pathOf({ path, query = {} }: WireRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => (one === null ? encode(name) : `${encode(name)}=${encode(String(one))}`))
  )
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** Encodes as signatures require: everything but letters, digits and four marks. */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}
