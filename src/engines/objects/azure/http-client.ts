import type { IncomingMessage } from 'node:http'
import type { HttpOperationResponse, IHttpClient, WebResource } from '@azure/storage-blob'
import type { GuardedAgents } from '../../outbound/agent.ts'
import { StoreError } from '../errors.ts'
import { joinedHeaders, textOf } from '../remote/answer.ts'
import { exchange, originOf } from '../remote/exchange.ts'
import { repeatedly } from '../remote/repeat.ts'

const REDIRECTS = new Set([301, 302, 303, 307, 308])
const PASSING = new Set([500, 502, 503, 504])

/**
 * Replaces the HTTP at the end of the vendor's pipeline: only this way does every request use the guarded
 * connections, ignore proxies of the environment, and follow no redirect.
 */
export function createHttpClient(agents: GuardedAgents, closing: AbortSignal): IHttpClient {
  return {
    async sendRequest(request) {
      const response = await send(request, agents, closing)
      const status = response.statusCode ?? 0
      if (REDIRECTS.has(status)) {
        response.destroy()
        throw new StoreError('store_failed', 'The store answers with a redirect; use the address that it leads to')
      }
      const answer = { request, status, headers: { toJson: () => joinedHeaders(response.headers) } }
      if (request.streamResponseStatusCodes?.has(status)) return as({ ...answer, readableStreamBody: response })
      return as({ ...answer, bodyAsText: await textOf(response) })
    }
  }
}

function send(request: WebResource, agents: GuardedAgents, closing: AbortSignal): Promise<IncomingMessage> {
  const url = new URL(request.url)
  const message = {
    method: request.method,
    path: url.pathname + url.search,
    headers: request.headers.toJson({ preserveCase: true }),
    body: request.body === undefined ? [] : [request.body as Buffer | string]
  }
  const repetition = { repeatable: mayBeRepeated(request), passing: PASSING, signal: closing }
  return repeatedly(() => exchange(originOf(url), message, { agents, signal: closing }), repetition)
}

/** Whether sending it again is harmless where an earlier attempt succeeded and only its answer was lost. */
function mayBeRepeated({ method, headers, url }: WebResource): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  const ofContainer = new URL(url).searchParams.get('restype') === 'container'
  return !headers.contains('if-match') && !headers.contains('if-none-match') && !(ofContainer && method === 'DELETE')
}

/** The vendor's type has more members than the pipeline ever uses. */
function as(response: object): HttpOperationResponse {
  return response as HttpOperationResponse
}
