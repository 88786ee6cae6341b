import assert from 'node:assert/strict'
import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { ERRORS, type ErrorCode } from '../../src/errors.ts'

export interface Shot {
  readonly method: string
  /** Sent literally: nothing is normalised or encoded. */
  readonly path: string
  readonly headers?: Record<string, string | string[]>
  readonly body?: string | Buffer | undefined
}

export interface Hit {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const MAX_ATTEMPTS = 40
const MAX_RESETS = 4
const RETRY_MS = 250

/** An HTTP client without manners: it sends whatever it is given. */
export function createHostileClient(url: string, token: string) {
  const { hostname, port } = new URL(url)
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  function once({ method, path, headers = {}, body }: Shot): Promise<Hit> {
    return new Promise((resolve, reject) => {
      const all = { authorization: `Bearer ${token}`, ...headers }
      const sent = request({ hostname, port, method, path, headers: all, agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const { statusCode = 0, headers } = response
          resolve({ status: statusCode, headers, text: Buffer.concat(chunks).toString() })
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  }

  return {
    async fire(shot: Shot): Promise<Hit> {
      for (let attempt = 1; ; attempt++) {
        try {
          const hit = await once(shot)
          // Test and server share a process: on a busy machine the server may be overloaded by the test itself.
          if (hit.status !== 503 || !hit.text.includes('"overloaded"') || attempt === MAX_ATTEMPTS) return hit
          await delay(RETRY_MS)
        } catch (error) {
          // A server that refuses a body closes the connection, which may be noticed before its answer.
          const closed = ['ECONNRESET', 'EPIPE'].includes((error as NodeJS.ErrnoException).code ?? '')
          if (!closed || attempt === MAX_RESETS) throw error
        }
      }
    },
    close: () => agent.destroy()
  }
}

export type HostileClient = ReturnType<typeof createHostileClient>

/** What must never stand in an answer: stack traces, our SQL, our files, tokens and keys. */
const GIVEAWAYS = [
  /\n\s+at |node_modules|\/src\/|\.ts:\d|file:\/\//,
  /\b(select|insert into|update|delete from) .*\b(from|values|set|where) |SQLITE|constraint failed/i,
  /eyJ[\w-]{10}|mr_[0-9A-Za-z]{36}/
]

/** Every refusal is a problem of the catalogue that gives nothing away. Answers its code. */
export function assertProblem({ status, headers, text }: Hit, where: string): ErrorCode {
  assert.ok(status >= 400 && status < 500, `${where}: ${status} ${text.slice(0, 300)}`)
  // Clients of other products get their own codes and media types; `type` has our code.
  const isForeign = /^application\/(json|vnd\.schemaregistry)/.test(headers['content-type'] ?? '')
  if (!isForeign) assert.match(headers['content-type'] ?? '', /^application\/problem\+json/, where)
  for (const giveaway of GIVEAWAYS) assert.doesNotMatch(text, giveaway, where)
  const body = JSON.parse(text) as Record<string, unknown>
  const code = String(body.type).replace('/api/docs/errors/', '') as ErrorCode
  assert.ok(Object.hasOwn(ERRORS, code), `${where}: code ${code}`)
  if (isForeign) assert.ok(body.message === (body.error ?? body.message) && body.message !== '', where)
  else assert.equal(body.code, code, where)
  assert.equal(body.status, status, where)
  assert.equal(ERRORS[code].status, status, where)
  for (const member of ['title', 'detail', 'requestId']) {
    assert.ok(typeof body[member] === 'string' && body[member] !== '', `${where}: no ${member}`)
  }
  return code
}

/** Whatever was sent, the answer is success or a well-formed refusal. */
export function assertHarmless(hit: Hit, where: string): void {
  if (hit.status >= 200 && hit.status < 300) assert.doesNotMatch(hit.text, /\n\s+at |node_modules/, where)
  else assertProblem(hit, where)
}

/** A connection on which anything can be said. */
export function openSocket(url: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  socket.on('error', () => {}) // reported by `closed`
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(received)))
  return {
    write: (text: string | Buffer) => void socket.write(text),
    received: () => received,
    /** Stops reading. */
    pause: () => void socket.pause(),
    /** Everything that was received, once the connection is closed. */
    closed,
    hangUp: () => socket.destroy()
  }
}

/** Splits what came over a socket into status, headers and body. */
export function parseAnswer(text: string): Hit {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [line = '', ...fields] = head.split('\r\n')
  const headers = Object.fromEntries(fields.map((field) => field.toLowerCase().split(': ', 2) as [string, string]))
  return { status: Number(line.split(' ')[1]), headers, text: rest.join('\r\n\r\n') }
}
