import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { tlsNames } from '../../brokers/guarded-socket.ts'
import type { Outbound } from '../../outbound/index.ts'
import { SourceError } from '../errors.ts'
import { Packets } from './packets.ts'

const LIMIT_MS = 10_000

export interface Relayed {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly ca: string
}

/** A way to the server for a client that would else look up names and follow wherever the server sends it. */
export interface Relay {
  /** The port of this machine that leads there, for one connection. */
  readonly port: number
  /** Why it was cut, where that was not the server's doing. */
  readonly fault: SourceError | undefined
  close(): void
}

/**
 * Connects to the address that was checked, encrypted if so configured, and then waits for the client. What the server says
 * before it accepts is read along: where it sends the client on to another server, the connection ends instead.
 */
export async function openRelay(to: Relayed, outbound: Outbound, signal: AbortSignal): Promise<Relay> {
  const remote = await dial(to, outbound, signal)
  let fault: SourceError | undefined
  let local: Socket | undefined
  const server = createServer((socket) => {
    server.close()
    local = socket
    const packets = new Packets()
    const end = () => {
      socket.destroy()
      remote.destroy()
    }
    remote.on('data', (bytes: Buffer) => {
      if (packets.isRedirect(bytes)) {
        fault = new SourceError(
          'refused_by_policy',
          'The listener sends the connection on to another server, which is not followed; give the address of that server',
          '/host'
        )
        end()
      } else if (!socket.write(bytes)) remote.pause()
    })
    socket.on('drain', () => remote.resume())
    socket.on('data', (bytes: Buffer) => {
      if (!remote.write(bytes)) socket.pause()
    })
    remote.on('drain', () => socket.resume())
    for (const one of [socket, remote]) one.on('error', end).on('close', end)
  })
  // One that nobody connects to must not keep the process alive.
  server.unref()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    get fault() {
      return fault
    },
    close() {
      server.close()
      local?.destroy()
      remote.destroy()
    }
  }
}

async function dial({ host, port, tls, ca }: Relayed, outbound: Outbound, signal: AbortSignal): Promise<Socket> {
  const { address } = await outbound.resolve(host, port)
  signal.throwIfAborted()
  const target = { host: address, port }
  const socket = tls ? connectTls({ ...target, ...tlsNames(host), ...(ca !== '' && { ca }) }) : connect(target)
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)])
  try {
    await new Promise<void>((resolve, reject) => {
      limit.addEventListener('abort', () => reject(limit.reason), { once: true })
      socket.once(tls ? 'secureConnect' : 'connect', resolve).once('error', reject)
    })
  } catch (error) {
    socket.destroy()
    signal.throwIfAborted()
    if (error === limit.reason)
      throw new SourceError('timeout', 'Nothing answered in time; check host and port', '/host')
    throw error
  }
  // Until the client is there, what goes wrong is seen when it writes.
  socket.on('error', () => {})
  return socket
}
