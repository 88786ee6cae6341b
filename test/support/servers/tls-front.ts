import { connect, type Socket } from 'node:net'
import { createServer } from 'node:tls'
import { type Certificate, selfSigned } from '../../../src/engines/outbound/testing/certificate.ts'

export interface TlsFront {
  readonly port: number
  /** The certificate that is shown from now on. */
  present(certificate: Certificate): void
  stop(): Promise<void>
}

/** A port that encrypts and leads to another, for servers of protocols that begin with TLS. */
export async function startTlsFront(to: number): Promise<TlsFront> {
  const sockets = new Set<Socket>()
  const server = createServer(selfSigned('localhost'), (near) => {
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
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as { port: number }).port,
    present: (certificate) => server.setSecureContext(certificate),
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
