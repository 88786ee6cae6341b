import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import type { GuardedAgents } from '../../outbound/agent.ts'
import { BodyFailed, describe } from './network-errors.ts'
import { LIMITS, type Limits, limitSilence, type Progress } from './silence.ts'

export interface Origin {
  readonly secure: boolean
  /** IPv6 addresses with or without brackets. */
  readonly host: string
  readonly port: number
}

export type Body = readonly (Uint8Array | string)[] | AsyncIterable<Uint8Array>

export interface Message {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Pieces in memory, or an iterable of pieces. */
  readonly body?: Body | undefined
}

export interface ExchangeOptions {
  readonly agents: GuardedAgents
  readonly signal?: AbortSignal
  readonly limits?: Limits
}

/**
 * One request over a guarded connection; resolves with the head of the answer, whatever its status. Rejects with
 * `BodyFailed`, `LostConnection`, or an `OutboundError`; an answer that falls silent fails with one as well.
 */
export function exchange(origin: Origin, message: Message, options: ExchangeOptions): Promise<IncomingMessage> {
  const { body = [] } = message
  const request = open(origin, message, options)
  const where = `${origin.host}:${origin.port}`
  const progress: Progress = { where, hasTcp: false, hasTls: false, answer: undefined, waitsForSource: false }
  return new Promise((resolve, reject) => {
    request.on('error', (error) => {
      reject(describe(error, where, origin.secure && progress.hasTcp && !progress.hasTls))
    })
    request.once('response', (answer) => {
      progress.answer = answer
      // If an answer comes before the whole body was sent, the connection can't be used again.
      answer.once('close', () => request.writableEnded || request.destroy())
      resolve(answer)
    })
    limitSilence(request, progress, options.limits ?? LIMITS)
    if (Symbol.asyncIterator in body) {
      pump(request, body, progress).catch((error: unknown) => {
        reject(new BodyFailed(error))
        request.destroy()
      })
      return
    }
    for (const piece of body.slice(0, -1)) request.write(piece)
    request.end(body.at(-1))
  })
}

function open(origin: Origin, { method, path, headers }: Message, { agents, signal }: ExchangeOptions): ClientRequest {
  const host = origin.host.replace(/^\[|\]$/g, '')
  const options = { method, path, headers, host, port: origin.port, ...(signal !== undefined && { signal }) }
  return origin.secure
    ? // Stated explicitly, because an environment variable could turn it off.
      requestTls({ ...options, agent: agents.https, rejectUnauthorized: true })
    : requestPlain({ ...options, agent: agents.http })
}

async function pump(request: ClientRequest, body: AsyncIterable<Uint8Array>, progress: Progress): Promise<void> {
  progress.waitsForSource = true
  for await (const piece of body) {
    progress.waitsForSource = false
    if (request.destroyed || progress.answer !== undefined) return
    if (!request.write(piece)) await writable(request)
    progress.waitsForSource = true
  }
  progress.waitsForSource = false
  request.end()
}

function writable(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      request.off('drain', go).off('close', go).off('response', go)
      resolve()
    }
    request.on('drain', go).on('close', go).on('response', go)
  })
}

/** The origin of a URL. */
export function originOf({ protocol, hostname, port }: URL): Origin {
  const secure = protocol === 'https:'
  return { secure, host: hostname, port: port === '' ? (secure ? 443 : 80) : Number(port) }
}
