import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { type SaslUsers, startSasl } from './kafka-sasl.ts'

export interface KafkaRelayOptions {
  /** Where it listens; a port that is free unless given. */
  readonly port?: number
  /** The address of the broker that clients are told; that of the relay unless given. */
  readonly advertised?: { readonly host: string; readonly port?: number }
  readonly certificate?: { readonly key: string; readonly cert: string }
  /** The only users that may connect. */
  readonly users?: SaslUsers
}

export interface KafkaRelay {
  readonly port: number
  /** How many bytes clients have sent. */
  readonly received: number
  stop(): Promise<void>
}

const MOCK_HOST = '127.0.0.1'
const API_VERSIONS = 18
const LIST_OFFSETS = 2
/** With later versions the mock answers epochs of twice the size. */
const LAST_LIST_OFFSETS = 3
const SASL_APIS = [
  [17, 0, 1],
  [36, 0, 1]
]

/**
 * A relay in front of the mock, which knows neither users nor TLS, tells clients its own address, and makes a mistake
 * in one answer.
 */
export async function startKafkaRelay(mockPort: number, options: KafkaRelayOptions = {}): Promise<KafkaRelay> {
  const { certificate, users } = options
  const sockets = new Set<Socket>()
  let received = 0
  const server = certificate === undefined ? createServer(serve) : createTlsServer(certificate, serve)
  await once(server.listen(options.port ?? 0, MOCK_HOST), 'listening')
  const { port } = server.address() as AddressInfo
  const advertised = address({ host: MOCK_HOST, port, ...options.advertised })
  const mock = address({ host: MOCK_HOST, port: mockPort })

  function serve(client: Socket): void {
    const upstream = connect(mockPort, MOCK_HOST)
    const asked = new Map<number, { readonly api: number; readonly version: number }>()
    const sasl = users && startSasl(users)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client]
    ] as const) {
      sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    client.on(
      'data',
      frames((frame) => {
        received += frame.length
        const [api, version, correlation] = [frame.readInt16BE(0), frame.readInt16BE(2), frame.readInt32BE(4)]
        if (api !== API_VERSIONS && sasl?.isDone === false) {
          const answer = sasl.answer(api, version, frame.subarray(10 + Math.max(frame.readInt16BE(8), 0)))
          if (answer === undefined) client.destroy()
          else client.write(framed(frame.subarray(4, 8), answer))
          return
        }
        asked.set(correlation, { api, version })
        upstream.write(framed(frame))
      })
    )
    upstream.on(
      'data',
      frames((frame) => {
        const request = asked.get(frame.readInt32BE(0))
        asked.delete(frame.readInt32BE(0))
        if (request?.api === API_VERSIONS) client.write(framed(...knownApis(frame, users !== undefined)))
        else client.write(framed(replaced(frame, mock, advertised)))
      })
    )
  }

  return {
    port,
    get received() {
      return received
    },
    async stop() {
      const closed = once(server.close(), 'close')
      for (const socket of sockets) socket.destroy()
      await closed
    }
  }
}

/** As in answers: a text with its length, and four bytes of port. */
function address({ host, port }: { readonly host: string; readonly port: number }): Buffer {
  const bytes = Buffer.alloc(2 + host.length + 4)
  bytes.writeInt16BE(host.length, 0)
  bytes.write(host, 2)
  bytes.writeInt32BE(port, 2 + host.length)
  return bytes
}

function replaced(frame: Buffer, what: Buffer, by: Buffer): Buffer {
  const at = frame.indexOf(what)
  return at < 0 ? frame : Buffer.concat([frame.subarray(0, at), by, frame.subarray(at + what.length)])
}

function knownApis(frame: Buffer, hasSasl: boolean): Buffer[] {
  const isRefused = frame.readInt16BE(4) !== 0
  if (isRefused) return [frame]
  const count = frame.readInt32BE(6)
  const end = 10 + count * 6
  for (let at = 10; at < end; at += 6) {
    if (frame.readInt16BE(at) === LIST_OFFSETS) frame.writeInt16BE(LAST_LIST_OFFSETS, at + 4)
  }
  if (!hasSasl) return [frame]
  frame.writeInt32BE(count + SASL_APIS.length, 6)
  const added = SASL_APIS.flat().map((number) => Buffer.from([number >> 8, number & 0xff]))
  return [frame.subarray(0, end), ...added, frame.subarray(end)]
}

function framed(...parts: Buffer[]): Buffer {
  const size = Buffer.alloc(4)
  size.writeInt32BE(parts.reduce((sum, { length }) => sum + length, 0))
  return Buffer.concat([size, ...parts])
}

function frames(onFrame: (frame: Buffer) => void): (chunk: Buffer) => void {
  let held: Buffer[] = []
  let size = 0
  return (chunk) => {
    held.push(chunk)
    size += chunk.length
    if (size < 4 || (held.length > 1 && size < 4 + sizeOf(held))) return
    let rest = Buffer.concat(held)
    while (rest.length >= 4 && rest.length >= 4 + rest.readInt32BE(0)) {
      const end = 4 + rest.readInt32BE(0)
      onFrame(rest.subarray(4, end))
      rest = rest.subarray(end)
    }
    held = rest.length === 0 ? [] : [rest]
    size = rest.length
  }
}

function sizeOf(held: readonly Buffer[]): number {
  return Buffer.concat(held, 4).readInt32BE(0)
}
