import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { pipeline, Readable } from 'node:stream'
import type { GuardedAgents } from '../../outbound/agent.ts'
import { OutboundError, toOutboundError } from '../../outbound/errors.ts'

const CONNECT_LIMIT_MS = 10_000
const SILENCE_LIMIT_MS = 60_000

/** A connection that ended without an answer. */
export class LostConnection extends Error {
  /** The vendor's sign for what the next attempt may mend. */
  readonly $retryable = {}
}

/** What the vendor's client wants to be sent. */
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
 * Stands in for the vendor's own HTTP, which knows neither a limit that spares a reader who pauses, nor whether it was
 * the TLS greeting that failed.
 */
export function createHttpHandler(agents: GuardedAgents) {
  return {
    metadata: { handlerProtocol: 'http/1.1' },
    async handle(request: WireRequest) {
      const answer = await exchange(request, agents)
      const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]))
      return { response: { statusCode: answer.statusCode ?? 0, headers, body: answer } }
    },
    updateHttpClientConfig() {},
    httpHandlerConfigs: () => ({})
  }
}

function exchange(request: WireRequest, agents: GuardedAgents): Promise<IncomingMessage> {
  const { protocol, hostname, port, method, headers } = request
  const secure = protocol === 'https:'
  const options = { method, headers, host: hostname.replace(/^\[|\]$/g, ''), port, path: pathOf(request) }
  const call = secure
    ? // Said outright, since the environment could turn it off.
      requestTls({ ...options, agent: agents.https, rejectUnauthorized: true })
    : requestPlain({ ...options, agent: agents.http })
  const reached = watchConnection(call, secure)
  return new Promise((resolve, reject) => {
    call.once('response', (response) => {
      limitSilence(call, response)
      resolve(response)
    })
    const where = `${hostname}:${port ?? (secure ? 443 : 80)}`
    call.on('error', (error) => reject(describe(error, where, secure && reached.tcp && !reached.tls)))
    if (request.body instanceof Readable) pipeline(request.body, call, () => {})
    else call.end(request.body)
  })
}

function pathOf({ path, query = {} }: WireRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one) => (one === null ? encode(name) : `${encode(name)}=${encode(String(one))}`))
  )
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** As signatures want it: everything but letters, digits and four marks. */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
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
    if (response.readableLength > 0) return
    response.destroy(Object.assign(new Error('silence'), { code: 'ETIMEDOUT' }))
  })
}

function describe(error: NodeJS.ErrnoException, where: string, duringTls: boolean): Error {
  if (error instanceof OutboundError) return error
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
