import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

/** Serves HTTP until the test ends, on a free port of 127.0.0.1 unless told otherwise. */
export async function serve(t: TestContext, listener: RequestListener, at: Partial<Listening> = {}) {
  const server = createHttpServer(listener)
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return listen(server, at)
}

/** Accepts connections until the test ends and leaves all talking to `onSocket`. */
export async function serveTcp(t: TestContext, onSocket: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    onSocket(socket)
  })
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { ...(await listen(server, {})), sockets }
}

interface Listening {
  readonly host: string
  readonly port: number
}

export async function listen(server: Server, { host = '127.0.0.1', port = 0 }: Partial<Listening>) {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return { port: (server.address() as { port: number }).port }
}
