import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import type { WebResource } from '@azure/storage-blob'
import type { GuardedAgents } from '../../outbound/agent.ts'
import { OutboundError, toOutboundError } from '../../outbound/errors.ts'

const CONNECT_LIMIT_MS = 10_000
const SILENCE_LIMIT_MS = 60_000

/** A connection that ended without an answer; the same request may succeed on another one. */
export class LostConnection extends Error {}

/** Sends one request over a guarded connection; resolves with the head of the answer, whatever the status. */
export function exchange(request: WebResource, agents: GuardedAgents, closing: AbortSignal): Promise<IncomingMessage> {
  const url = new URL(request.url)
  const secure = url.protocol === 'https:'
  const headers = request.headers.toJson({ preserveCase: true })
  const options = { method: request.method, headers, signal: closing }
  const call = secure
    ? // Said outright, since the environment could turn it off.
      requestTls(url, { ...options, agent: agents.https, rejectUnauthorized: true })
    : requestPlain(url, { ...options, agent: agents.http })
  const reached = watchConnection(call, secure)
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', (response) => {
      limitSilence(call, response)
      resolve(response)
    })
    call.on('error', (error) => reject(describe(error, url.host, secure && reached.tcp && !reached.tls)))
  })
  call.end(request.body)
  return answer
}

function watchConnection(call: ClientRequest, secure: boolean): { tcp: boolean; tls: boolean } {
  const reached = { tcp: false, tls: false }
  const timeOut = () => call.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }))
  call.setTimeout(SILENCE_LIMIT_MS, timeOut)
  call.once('socket', (socket) => {
    if (!socket.connecting) {
      reached.tcp = reached.tls = true
      return
    }
    const limit = setTimeout(timeOut, CONNECT_LIMIT_MS)
    socket.once('connect', () => {
      reached.tcp = true
    })
    socket.once(secure ? 'secureConnect' : 'connect', () => {
      reached.tls = true
      clearTimeout(limit)
    })
    socket.once('close', () => clearTimeout(limit))
  })
  return reached
}

function limitSilence(call: ClientRequest, response: IncomingMessage): void {
  call.removeAllListeners('timeout')
  call.on('timeout', () => {
    // What waits here to be read is not the other side's silence.
    if (response.isPaused() || response.readableLength > 0) return
    response.destroy(Object.assign(new Error('silence'), { code: 'ETIMEDOUT' }))
  })
}

function describe(error: NodeJS.ErrnoException, where: string, duringTls: boolean): Error {
  if (error instanceof OutboundError || error.name === 'AbortError') return error
  if (duringTls && error.code !== 'ETIMEDOUT') {
    const reason = error.code ?? 'no code'
    return new OutboundError(
      'tls',
      `No secure connection to ${where} (${reason}); check its certificate, and that the port speaks HTTPS`
    )
  }
  const described = toOutboundError(error, where)
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return new LostConnection(described.message)
  return described
}
