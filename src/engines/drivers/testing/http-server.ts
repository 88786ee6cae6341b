import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** The body as JSON; undefined where it is none. */
  readonly body: unknown
  /** Where this server is, as its client knows it. */
  readonly origin: string
}

export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, or as it is where it is text. */
  readonly body?: unknown
  readonly isCompressed?: boolean
}

/** A server over HTTP that answers as told: no real one, but made after what the makers of one document. */
export class ToldServer {
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  readonly #answer: (asked: Asked) => Reply
  /** In place of every answer. */
  instead: ((asked: Asked) => Reply | undefined) | undefined
  /** After so many answers connections are cut without one. */
  diesAfter = Number.POSITIVE_INFINITY
  connections = 0
  /** How its clients reach it. */
  scheme: 'http' | 'https' = 'http'
  readonly asked: Asked[] = []

  constructor(answer: (asked: Asked) => Reply) {
    this.#answer = answer
    this.#server.on('connection', () => {
      this.connections += 1
    })
  }

  async start(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return (this.#server.address() as AddressInfo).port
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  /** As it was when it was new. */
  reset(): void {
    this.instead = undefined
    this.scheme = 'http'
    this.diesAfter = Number.POSITIVE_INFINITY
    this.asked.length = 0
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Uint8Array[] = []
    for await (const part of request) parts.push(part)
    if (this.asked.length >= this.diesAfter) {
      request.socket.destroy()
      return
    }
    const origin = `${this.scheme}://${request.headers.host}`
    const url = new URL(request.url ?? '', origin)
    const text = Buffer.concat(parts).toString()
    const asked: Asked = {
      method: request.method ?? '',
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      headers: request.headers,
      text,
      body: jsonOf(text),
      origin
    }
    this.asked.push(asked)
    const { status = 200, headers = {}, body, isCompressed } = this.instead?.(asked) ?? this.#answer(asked)
    const sent = typeof body === 'string' ? body : (JSON.stringify(body) ?? '')
    response.writeHead(status, { 'content-type': 'application/json', ...headers, ...(isCompressed && GZIP) })
    response.end(isCompressed ? gzipSync(sent) : sent)
  }
}

const GZIP = { 'content-encoding': 'gzip' }

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
