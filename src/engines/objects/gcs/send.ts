import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { GuardedAgents } from '../../outbound/agent.ts'
import { StoreError } from '../errors.ts'

const CONNECT_LIMIT_MS = 10_000
const IDLE_LIMIT_MS = 60_000
const MAX_TEXT_BYTES = 16 * 1024 * 1024

export interface Origin {
  readonly secure: boolean
  readonly host: string
  readonly port: number
}

export interface Message {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Pieces at hand, or those that come one by one and whose total is not known. */
  readonly body?: readonly Buffer[] | AsyncIterable<Buffer>
}

/** What the source of a body threw; it is not the network's, though it may look the same. */
export class BodyFailed extends Error {
  constructor(cause: unknown) {
    super('The body could not be read to its end', { cause })
  }
}

/**
 * One request over a guarded connection; resolves with the head of the answer, whatever its status. Rejects with
 * `BodyFailed`, or with what the network says. Silence counts against the server only: not while the body's source or
 * the reader of the answer takes its time.
 */
export function send(origin: Origin, message: Message, agents: GuardedAgents): Promise<IncomingMessage> {
  const { method, path, headers = {}, body = [] } = message
  const pieces = Array.isArray(body) ? (body as readonly Buffer[]) : undefined
  const length = pieces?.reduce((bytes, piece) => bytes + piece.length, 0)
  const framing: Record<string, string> =
    length === undefined ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(length) }
  const request = (origin.secure ? httpsRequest : httpRequest)({
    agent: origin.secure ? agents.https : agents.http,
    host: origin.host,
    port: origin.port,
    method,
    path,
    headers: { ...headers, ...(method === 'GET' ? {} : framing) }
  })
  return new Promise((resolve, reject) => {
    const state: State = { answer: undefined, waitsForSource: false }
    request.on('error', reject)
    request.once('response', (answer) => {
      state.answer = answer
      // An answer that came before the whole body was sent leaves a connection nobody can use again.
      answer.once('close', () => request.writableEnded || request.destroy())
      resolve(answer)
    })
    limitSilence(request, state)
    if (pieces !== undefined) {
      for (const piece of pieces) request.write(piece)
      request.end()
      return
    }
    pump(request, body as AsyncIterable<Buffer>, state).catch((error: unknown) => {
      reject(new BodyFailed(error))
      request.destroy()
    })
  })
}

/** An answer that is read as a whole: a page of a listing, or less. */
export async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_TEXT_BYTES) throw new StoreError('store_failed', 'The answer of the server is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

interface State {
  answer: IncomingMessage | undefined
  waitsForSource: boolean
}

async function pump(request: ClientRequest, body: AsyncIterable<Buffer>, state: State): Promise<void> {
  state.waitsForSource = true
  for await (const piece of body) {
    state.waitsForSource = false
    if (request.destroyed || state.answer !== undefined) return
    if (!request.write(piece)) await writable(request)
    state.waitsForSource = true
  }
  state.waitsForSource = false
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

function limitSilence(request: ClientRequest, state: State): void {
  // The request itself would tell of the first silence only.
  request.once('socket', (socket) => {
    const onSilence = () => {
      const waitsForReader = (state.answer?.readableLength ?? 0) > 0
      if (state.waitsForSource || waitsForReader) socket.setTimeout(IDLE_LIMIT_MS)
      else if (state.answer === undefined) request.destroy(timedOut())
      else state.answer.destroy(timedOut())
    }
    socket.setTimeout(IDLE_LIMIT_MS).on('timeout', onSilence)
    request.once('close', () => socket.off('timeout', onSilence))
    if (!socket.connecting) return
    const timer = setTimeout(() => request.destroy(timedOut()), CONNECT_LIMIT_MS)
    const connected = () => clearTimeout(timer)
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', connected).once('close', connected)
  })
}

function timedOut(): Error {
  return Object.assign(new Error('Nothing was heard in time'), { code: 'ETIMEDOUT' })
}
