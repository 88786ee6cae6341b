import { connect, type Socket } from 'node:net'
import { eventually } from '../eventually.ts'

/** A connection on which a test writes every byte itself. */
export class RawSocket {
  readonly socket: Socket
  #chunks: Buffer[] = []
  readonly closed: Promise<void>

  private constructor(socket: Socket) {
    this.socket = socket
    socket.on('error', () => {}) // a connection that is reset is what some tests are about
    socket.on('data', (chunk: Buffer) => {
      this.#chunks.push(chunk)
    })
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()))
  }

  /** Everything received so far. Joined when asked for, because an answer may have thousands of pieces. */
  get received(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)]
    return this.#chunks[0] ?? Buffer.alloc(0)
  }

  static async open(url: string): Promise<RawSocket> {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
    return new RawSocket(socket)
  }

  /** Resolves when the bytes were passed to the system, or the connection is gone. */
  write(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => this.socket.write(bytes, () => resolve()))
  }

  head(method: string, path: string, headers: Record<string, string | number>): Promise<void> {
    const lines = Object.entries({ host: 'localhost', ...headers }).map(([name, value]) => `${name}: ${value}`)
    return this.write(`${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`)
  }

  /** Sends a whole request, again where the server is overloaded; resolves when its answer begins. */
  async ask(method: string, path: string, headers: Record<string, string | number>, body = ''): Promise<void> {
    do {
      this.#chunks = []
      await this.head(method, path, headers)
      await this.write(body)
      await eventually(() => this.status !== undefined)
      if (this.status === 503) await this.problem()
    } while (this.status === 503)
  }

  /** Resolves when a whole error answer has arrived. */
  async problem(): Promise<void> {
    await eventually(() => /"code":"[a-z_]+".*\}$/.test(this.received.toString()))
  }

  get status(): number | undefined {
    const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(this.received.subarray(0, 20).toString('latin1')) ?? []
    return status === undefined ? undefined : Number(status)
  }

  hangUp(): void {
    this.socket.resetAndDestroy()
  }
}
