import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** Another address of this machine; the port is the same. */
export const CUT_PROXY_ADDRESS = '127.0.0.2'

export interface CutProxy {
  /** Ends all connections and accepts none. */
  cut(): Promise<void>
  mend(): Promise<void>
}

/**
 * A proxy for a server that tells clients its own address and can't be restarted on the same port. Clients that
 * resolve the server's address to this one use the proxy.
 */
export async function startCutProxy(port: number): Promise<CutProxy> {
  const sockets = new Set<Socket>()
  let server: Server
  const carry = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.pipe(to)
    from.on('error', () => {})
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
  }
  async function mend(): Promise<void> {
    server = createServer((client) => {
      const upstream = connect(port, '127.0.0.1')
      carry(client, upstream)
      carry(upstream, client)
    })
    await once(server.listen(port, CUT_PROXY_ADDRESS), 'listening')
  }
  await mend()
  return {
    mend,
    async cut() {
      const closed = once(server.close(), 'close')
      for (const socket of sockets) socket.destroy()
      await closed
    }
  }
}
