import { connect } from 'node:net'

export interface Target {
  readonly port: number
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Sends the bodies over some connections, each the next one when the last was answered. Plain sockets, so that little of
 * the machine is taken from whoever is measured.
 */
export async function sendAll({ port, path, headers = {} }: Target, bodies: readonly Buffer[], connections: number) {
  let next = 0
  const head = (length: number) =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${length}`,
      '',
      ''
    ].join('\r\n')
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let sent: Buffer | undefined
      let received = ''
      const send = (body: Buffer | undefined) => {
        sent = body
        if (body === undefined) return socket.end(() => resolve())
        socket.write(head(body.length))
        socket.write(body)
      }
      socket.setEncoding('latin1')
      socket.on('connect', () => send(bodies[next++]))
      socket.on('error', reject)
      socket.on('data', (chunk: string) => {
        received += chunk
        if (!isWhole(received)) return
        const status = Number(received.slice(9, 12))
        const answer = received
        received = ''
        if (status === 429 || status === 503) setTimeout(() => send(sent), 20)
        else if (status >= 300) reject(new Error(answer))
        else send(bodies[next++])
      })
    })
  await Promise.all(Array.from({ length: connections }, one))
}

function isWhole(received: string): boolean {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return false
  if (/\r\ntransfer-encoding: chunked/i.test(received.slice(0, headEnd + 2))) return received.endsWith('0\r\n\r\n')
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, headEnd)) ?? []
  return received.length >= headEnd + 4 + Number(length ?? 0)
}
