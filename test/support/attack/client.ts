import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'

export interface Asked {
  readonly token?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly agent?: Agent
}

export interface Told {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  readonly body: any
}

const ANSWER_LIMIT_MS = 15_000

/** One request from the given address of this machine, on a connection of its own unless an agent is given. */
export function ask(url: string, path: string, from: string, asked: Asked = {}): Promise<Told> {
  const { token, method = 'GET', headers = {}, body, agent } = asked
  return new Promise((resolve, reject) => {
    const sent = request(
      new URL(path, url),
      {
        method,
        localAddress: from,
        agent: agent ?? false,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers
        },
        signal: AbortSignal.timeout(ANSWER_LIMIT_MS)
      },
      (response) => {
        textOf(response).then((text) => {
          const { statusCode: status = 0, headers } = response
          const isJson = /json/.test(headers['content-type'] ?? '') && text !== ''
          resolve({ status, headers, body: isJson ? JSON.parse(text) : text })
        }, reject)
      }
    )
    sent.once('error', reject)
    sent.end(body)
  })
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** A connection that reads only when told to, and whose end is no failure. */
export function openRaw(url: string, from: string): Socket {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, localAddress: from, allowHalfOpen: true })
  socket.on('error', () => {})
  return socket
}

/** Opens many connections at once and waits until each is connected or refused. */
export async function openMany(url: string, from: string, count: number, text = ''): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => openRaw(url, from))
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.once('connect', () => {
            if (text !== '') socket.write(text)
            resolve()
          })
          socket.once('close', () => resolve())
        })
    )
  )
  return sockets
}

export function hangUp(sockets: readonly Socket[]): void {
  for (const socket of sockets) socket.destroy()
}

/** What the server sends on the connection until `enough`, or until it is closed. */
export function hear(socket: Socket, enough: (text: string) => boolean = () => false): Promise<string> {
  let text = ''
  return new Promise((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (enough(text)) resolve(text)
    })
    socket.once('end', () => resolve(text))
    socket.once('close', () => resolve(text))
  })
}

export const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status)).filter((status) => status !== 100)

/** What stands before the body of a change. */
export const postHead = (path: string, token: string, bytes: number, more = '') =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n${more}\r\n`
export const putHead = (path: string, token: string, bytes: number) =>
  `PUT ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: text/plain\r\nContent-Length: ${bytes}\r\n\r\n`
