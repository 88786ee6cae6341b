// A load generator over plain sockets, run as a process of its own. General ones written for Node need more time for a
// request than a bare Fastify does to answer it, so that they would measure themselves.
import { connect } from 'node:net'

export interface Load {
  readonly port: number
  readonly method: string
  /** `{n}` in it, and `{000000}` in the body, counts the requests from `first`, modulo `distinct`. */
  readonly path: string
  readonly first?: number
  readonly distinct?: number
  readonly token?: string
  /** `{000}` in it counts as well, modulo 500; `{YYYY-MM-DDTHH:MM:SS.ms}` is a time, a millisecond later with each. */
  readonly body?: string
  /** JSON unless given. */
  readonly contentType?: string
  readonly connections: number
  readonly durationMs: number
}

export interface LoadResult {
  readonly requestsPerS: number
  readonly p99Ms: number
  readonly wrongStatus: number
}

export function generate(load: Load): Promise<LoadResult> {
  const nextRequest = requestsOf(load)
  const end = performance.now() + load.durationMs
  const started = performance.now()
  const latencies: number[] = []
  let wrongStatus = 0
  const connections = Array.from({ length: load.connections }, () => {
    return new Promise<void>((resolve, reject) => {
      const socket = connect({ port: load.port, host: '127.0.0.1', noDelay: true })
      let received = ''
      let length = -1
      let sentAt = 0
      const send = () => {
        sentAt = performance.now()
        socket.write(nextRequest())
      }
      socket.setEncoding('latin1')
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('close', () => resolve())
      socket.on('data', (chunk: string) => {
        received = received === '' ? chunk : received + chunk
        if (length < 0) length = answerLength(received)
        if (length < 0 || received.length < length) return
        if (received.charCodeAt(9) !== TWO) wrongStatus++
        received = ''
        length = -1
        const now = performance.now()
        latencies.push(now - sentAt)
        if (now < end) send()
        else socket.destroy()
      })
    })
  })
  return Promise.all(connections).then(() => {
    const seconds = (performance.now() - started) / 1000
    latencies.sort((a, b) => a - b)
    const p99Ms = latencies[Math.floor(latencies.length * 0.99)] ?? 0
    return { requestsPerS: latencies.length / seconds, p99Ms, wrongStatus }
  })
}

const TWO = '2'.charCodeAt(0)

function requestsOf(load: Load): () => Buffer | string {
  const text = requestText(load)
  const parts = text.split(/(\{(?:n|000|000000|YYYY-MM-DDTHH:MM:SS\.ms)\})/)
  if (parts.length === 1) {
    const request = Buffer.from(text)
    return () => request
  }
  let count = load.first ?? 0
  return () => {
    const n = count++ % (load.distinct ?? Number.MAX_SAFE_INTEGER)
    return parts.map((part) => counted(part, n)).join('')
  }
}

/** As long as what it stands for but in a path, so that the length of the body stays what was announced. */
function counted(part: string, n: number): string {
  if (part === '{n}') return String(n)
  if (part === '{000}') return String(n % 500).padStart(5, '0')
  if (part === '{000000}') return String(n).padStart(8, '0')
  if (part === '{YYYY-MM-DDTHH:MM:SS.ms}') return new Date(FIRST_MS + n).toISOString()
  return part
}

const FIRST_MS = Date.UTC(2026, 2, 1)

function requestText({ method, path, token, body, contentType = 'application/json' }: Load): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: keep-alive']
  if (token !== undefined) lines.push(`Authorization: Bearer ${token}`)
  if (body !== undefined) lines.push(`Content-Type: ${contentType}`, `Content-Length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`
}

/** Where the answer ends, once its head has arrived whole. */
function answerLength(received: string): number {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return -1
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, headEnd)) ?? []
  return headEnd + 4 + Number(length ?? 0)
}

process.once('message', async (load: Load) => {
  process.send?.(await generate(load))
  process.disconnect?.()
})
