import { once } from 'node:events'
import type { Socket } from 'node:net'
import { SourceError } from '../errors.ts'

/** How a protocol begins before anything is encrypted. */
interface Beginning {
  /** Whether the server speaks first, encrypted or not. */
  readonly isSpoken: boolean
  /** Goes on to where encryption begins; throws where what answers is something else. */
  exchange(socket: Socket, tls: boolean, signal: AbortSignal): Promise<void>
  /** What it is where nothing was said in time; undefined where it is encryption that is missing. */
  stranger(): SourceError | undefined
}

export type Greeting = 'none' | 'postgres' | 'mysql' | 'nats' | 'ftp'

/** The length of the message, and the number that asks for encryption. */
const POSTGRES_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const MYSQL_VERSION = 10
const MYSQL_ERROR = 0xff
/** Protocol 4.1, secure connection, encryption; packets of 16 MiB; utf8mb4. */
const MYSQL_FLAGS = 0x0000_8a00
const MYSQL_REQUEST_BYTES = 32

const notA = (system: string) =>
  new SourceError('unavailable', `What answers there does not speak as ${system} does; check host and port`, '/port')

/** What a server says next; a first packet is small, and comes at once. */
async function said(socket: Socket, signal: AbortSignal): Promise<Buffer> {
  const [data] = (await once(socket, 'data', { signal })) as [Buffer]
  return data
}

/** Where the server is asked for encryption, its own errors are for the client to tell. */
export const GREETINGS: Readonly<Record<Greeting, Beginning>> = {
  none: { isSpoken: false, exchange: async () => {}, stranger: () => undefined },
  postgres: {
    isSpoken: false,
    async exchange(socket, _tls, signal) {
      socket.write(POSTGRES_REQUEST)
      const answer = (await said(socket, signal)).toString('latin1')
      if (answer === 'S') return
      // One that does not encrypt says N, and one that knows no encryption an error.
      throw answer === 'N' || answer.startsWith('E') ? new Error('not encrypted') : notA('PostgreSQL')
    },
    stranger: () => notA('PostgreSQL')
  },
  mysql: {
    isSpoken: true,
    async exchange(socket, tls, signal) {
      const hello = await said(socket, signal)
      const [kind] = hello.subarray(4)
      if (hello[3] !== 0 || (kind !== MYSQL_VERSION && kind !== MYSQL_ERROR)) throw notA('MySQL')
      if (!tls) return
      const request = Buffer.alloc(4 + MYSQL_REQUEST_BYTES)
      request.writeUIntLE(MYSQL_REQUEST_BYTES, 0, 3)
      request[3] = 1
      request.writeUInt32LE(MYSQL_FLAGS, 4)
      request.writeUInt32LE(1 << 24, 8)
      request[12] = 45
      socket.write(request)
    },
    stranger: () => notA('MySQL')
  },
  nats: {
    isSpoken: true,
    async exchange(socket, _tls, signal) {
      if (!(await said(socket, signal)).toString('latin1').startsWith('INFO ')) throw notA('NATS')
    },
    stranger: () => notA('NATS')
  },
  ftp: {
    isSpoken: true,
    async exchange(socket, tls, signal) {
      if (!(await said(socket, signal)).toString('latin1').startsWith('220')) throw notA('FTP')
      if (!tls) return
      socket.write('AUTH TLS\r\n')
      if (!(await said(socket, signal)).toString('latin1').startsWith('234')) throw new Error('not encrypted')
    },
    stranger: () => notA('FTP')
  }
}
