import { tlsNames } from '../../../brokers/guarded-socket.ts'
import type { Outbound } from '../../../outbound/index.ts'
import { unencrypted } from '../../common/tls.ts'
import { SourceError } from '../../errors.ts'
import { touch } from '../../reach.ts'
import type { RedisSettings } from './config.ts'
import { wantsPassword } from './errors.ts'

const CONNECT_LIMIT_MS = 5000
const ANSWER_LIMIT_MS = 60_000

type Argument = string | Buffer

/** What a server answers: texts that may be any bytes are bytes, words of the protocol are texts. */
export type Reply = string | number | Buffer | Error | null | readonly Reply[]

export interface Redis {
  ask(...command: Argument[]): Promise<Reply>
  /** Commands that are sent together; an answer that is an error is among the answers. */
  askAll(commands: readonly (readonly Argument[])[]): Promise<Reply[]>
  close(): void
}

/** One connection to a checked address. It never connects again by itself, and follows to no other server. */
export async function connectRedis(settings: RedisSettings, outbound: Outbound): Promise<Redis> {
  const { ConnectionTimeoutError, createClient, ErrorReply, RESP_TYPES, SocketClosedUnexpectedlyError } = await import(
    '@redis/client'
  )
  const { host, port, tls, ca, user, password, database } = settings
  const { address } = await outbound.resolve(host, port)
  const socket = { host: address, port, connectTimeout: CONNECT_LIMIT_MS, reconnectStrategy: false as const }
  const client = createClient({
    // In the third version a server may send a client elsewhere.
    RESP: 2,
    maintNotifications: 'disabled',
    disableClientInfo: true,
    socket: tls ? { ...socket, tls, ...tlsNames(host, ca) } : socket,
    ...(user !== undefined && { username: user }),
    ...(password !== undefined && { password }),
    database,
    // Commands that are sent together have one limit, below.
    commandOptions: { timeout: 0, typeMapping: { [RESP_TYPES.BLOB_STRING]: Buffer } }
  })
  // Each call that is under way is told too.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    if (!tls || !(error instanceof SocketClosedUnexpectedlyError || error instanceof ConnectionTimeoutError))
      throw error
    // A server that knows no encryption takes its beginning for a command: it hangs up, or waits for the end of that.
    await touch(address, port, AbortSignal.timeout(CONNECT_LIMIT_MS))
    throw unencrypted()
  }
  const close = () => {
    if (client.isOpen) client.destroy()
  }
  // Whoever gives no password is let in, and told with the first command that one is wanted.
  await client.sendCommand(['PING']).catch((error) => {
    if (error instanceof ErrorReply && !wantsPassword(error)) return
    close()
    throw error
  })

  async function askAll(commands: readonly (readonly Argument[])[]): Promise<Reply[]> {
    let isLate = false
    const limit = setTimeout(() => {
      isLate = true
      close()
    }, ANSWER_LIMIT_MS)
    try {
      return await Promise.all(
        commands.map(async (command) => {
          try {
            return await client.sendCommand<Reply>(command)
          } catch (error) {
            if (error instanceof ErrorReply) return error
            throw error
          }
        })
      )
    } catch (error) {
      if (isLate) throw new SourceError('timeout', `There was no answer within ${ANSWER_LIMIT_MS / 1000} s`)
      throw error
    } finally {
      clearTimeout(limit)
    }
  }

  return {
    askAll,
    async ask(...command) {
      const [reply] = await askAll([command])
      if (reply instanceof Error) throw reply
      return reply ?? null
    },
    close
  }
}
