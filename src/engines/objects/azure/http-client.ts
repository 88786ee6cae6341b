import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { HttpOperationResponse, IHttpClient, WebResource } from '@azure/storage-blob'
import type { GuardedAgents } from '../../outbound/agent.ts'
import { StoreError } from '../errors.ts'
import { exchange, LostConnection } from './exchange.ts'

const MAX_ATTEMPTS = 3
const FIRST_DELAY_MS = 100
/** Listings of 1,000 long names stay far below. */
const MAX_TEXT_BYTES = 32 * 1024 * 1024
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const PASSING = new Set([500, 502, 503, 504])

/**
 * What stands at the end of the vendor's pipeline in place of its own HTTP: only this way does every request go through
 * the guarded connections, whatever proxy the environment names, and follows no redirect.
 */
export function createHttpClient(agents: GuardedAgents, closing: AbortSignal): IHttpClient {
  return {
    async sendRequest(request) {
      const response = await exchangeRepeatedly(request, agents, closing)
      const status = response.statusCode ?? 0
      if (REDIRECTS.has(status)) {
        response.destroy()
        throw new StoreError('store_failed', 'The store answers with a redirect; use the address that it leads to')
      }
      const answer = { request, status, headers: { toJson: () => joined(response) } }
      if (request.streamResponseStatusCodes?.has(status)) return as({ ...answer, readableStreamBody: response })
      return as({ ...answer, bodyAsText: await textOf(response) })
    }
  }
}

async function exchangeRepeatedly(
  request: WebResource,
  agents: GuardedAgents,
  closing: AbortSignal
): Promise<IncomingMessage> {
  for (let attempt = 1; ; attempt++) {
    const last = attempt === MAX_ATTEMPTS || !mayBeRepeated(request)
    try {
      const response = await exchange(request, agents, closing)
      if (last || !PASSING.has(response.statusCode ?? 0)) return response
      response.destroy()
    } catch (error) {
      if (last || !(error instanceof LostConnection)) throw error
    }
    await delay(FIRST_DELAY_MS * 4 ** (attempt - 1) * (0.5 + Math.random()), undefined, { signal: closing })
  }
}

/** Whether it comes to the same if an earlier attempt did its work and only the answer was lost. */
function mayBeRepeated({ method, headers, url }: WebResource): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  const ofContainer = new URL(url).searchParams.get('restype') === 'container'
  return !headers.contains('if-match') && !headers.contains('if-none-match') && !(ofContainer && method === 'DELETE')
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > MAX_TEXT_BYTES) throw new StoreError('store_failed', 'The answer is far too large; check the address')
    }
  } catch (error) {
    if (error instanceof StoreError) throw error
    throw new LostConnection('The store closed the connection before its answer was complete; try again')
  }
  return Buffer.concat(chunks).toString()
}

function joined({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/** The vendor's type asks for more of the headers than the pipeline ever uses. */
function as(response: object): HttpOperationResponse {
  return response as HttpOperationResponse
}
