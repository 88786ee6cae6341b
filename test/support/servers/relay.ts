import { connect, createServer, type Socket } from 'node:net'

export interface Relay {
  readonly port: number
  /** How many were made so far. */
  connections(): number
  /** Breaks all connections at once, as if the server behind it had died; new ones are taken. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** A port that leads to another, for servers that can't be killed and keep what they have. */
export async function startRelay(to: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  let connections = 0
  const server = createServer((near) => {
    connections += 1
    const far = connect({ host: '127.0.0.1', port: to })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    port: (server.address() as { port: number }).port,
    connections: () => connections,
    async restart() {
      cut()
    },
    async stop() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
