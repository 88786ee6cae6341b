import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { ServerAddress } from '../../../engines/objects/index.ts'
import { type Outbound, OutboundError } from '../../../engines/outbound/index.ts'
import { CheckFailure } from './failure.ts'

const CLOCK_LIMIT_MS = 5000

/** The way to a server, step by step, on one connection to the address that the guard has checked. */
export class Wire {
  readonly #server: ServerAddress
  readonly #outbound: Outbound
  readonly #where: string
  readonly #sockets: Socket[] = []
  #address = ''

  constructor(server: ServerAddress, outbound: Outbound) {
    this.#server = server
    this.#outbound = outbound
    this.#where = `${server.host.includes(':') ? `[${server.host}]` : server.host}:${server.port}`
  }

  get secure(): boolean {
    return this.#server.secure
  }

  async resolve(): Promise<string> {
    const { host, port } = this.#server
    this.#address = (await this.#outbound.resolve(host, port)).address
    // The message does not say which address it is, as everywhere.
    return `${host} leads to an address that may be called`
  }

  async connect(): Promise<string> {
    const socket = connectTcp({ host: this.#address, port: this.#server.port })
    await this.#established(socket, 'connect', (reason) =>
      reason === 'ETIMEDOUT'
        ? new CheckFailure('timed_out', `${this.#where} does not answer; check that no firewall is in the way`)
        : new CheckFailure('connection_refused', `No connection to ${this.#where} (${reason}); check host and port`)
    )
    return `${this.#where} accepts connections`
  }

  async tls(): Promise<string> {
    const { host } = this.#server
    const socket = connectTls({
      socket: this.#sockets[0] as Socket,
      host,
      servername: isIP(host) === 0 ? host : '',
      ALPNProtocols: ['http/1.1'],
      // Stated explicitly, because an environment variable could turn it off.
      rejectUnauthorized: true
    })
    await this.#established(socket, 'secureConnect', (reason) =>
      reason === 'ERR_TLS_CERT_ALTNAME_INVALID'
        ? new CheckFailure('tls_failed', `The certificate of ${this.#where} is for another name; use that name`)
        : new CheckFailure(
            'tls_failed',
            `No secure connection to ${this.#where} (${reason}); check its certificate, and that the port speaks TLS`
          )
    )
    return `${socket.getProtocol()}, with a certificate that is trusted`
  }

  /** How far the server's clock is ahead of `now`; undefined where the server sends no time. */
  async clockDifferenceMs(now: () => number): Promise<number | undefined> {
    const url = `${this.secure ? 'https' : 'http'}://${this.#where}/`
    try {
      const { headers, text } = await this.#outbound.request(url, { method: 'HEAD', timeoutMs: CLOCK_LIMIT_MS })
      await text()
      const differenceMs = Date.parse(String(headers.date)) - now()
      return Number.isNaN(differenceMs) ? undefined : differenceMs
    } catch (error) {
      if (error instanceof OutboundError) return undefined
      throw error
    }
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #established(
    socket: Socket | TLSSocket,
    event: 'connect' | 'secureConnect',
    describe: (reason: string) => CheckFailure
  ): Promise<void> {
    this.#sockets.push(socket)
    return new Promise((resolve, reject) => {
      // The listener stays: an error on a socket without a listener would end the process.
      socket.on('error', (error: NodeJS.ErrnoException) => reject(describe(error.code ?? 'no code')))
      socket.once('close', () => reject(describe('ECONNRESET')))
      socket.once(event, () => resolve())
    })
  }
}
