import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { tlsNames } from '../../../../brokers/guarded-socket.ts'
import type { Outbound } from '../../../../outbound/index.ts'
import { unencrypted } from '../../../common/tls.ts'
import type { RabbitSettings } from '../config.ts'
import { type AmqpMessage, readContentHeader, readEnvelope } from './amqp-message.ts'
import { encodeFrame, type Frame, FrameCutter, KIND, MAX_FRAME_BYTES } from './frames.ts'
import { CLIENT_PROPERTIES, METHOD, methodOf } from './methods.ts'
import { AmqpRefusal, AmqpSilence } from './refusals.ts'
import { BadFrame, long, longText, octet, short, shortText, table, type ValueReader } from './values.ts'

const CONNECT_LIMIT_MS = 10_000
/** How long a server may say nothing while something is expected of it. */
const SILENCE_LIMIT_MS = 30_000
const HEARTBEAT_SECONDS = 60
/** The channel that all is done on. */
const CHANNEL = 1
/** What a server that wants encryption says to one who does not begin with it. */
const TLS_ALERT = 0x15
/** A body that is larger is left out. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

/** Something that has arrived on the channel: a method, or a message with all of its parts. */
export type Arrival =
  | { readonly method: number; readonly values: ValueReader }
  | { readonly method: typeof METHOD.deliver; readonly message: AmqpMessage }

/**
 * A connection with one channel, read only as far as somebody asks: what nobody has asked for yet waits in the socket, and then on the
 * server. It never connects again by itself.
 */
export class AmqpConnection {
  readonly #socket: Socket
  readonly #frames = new FrameCutter()
  #failure: unknown
  #isUnderstood = false
  #server = ''
  #heartbeat: NodeJS.Timeout | undefined

  private constructor(socket: Socket) {
    this.#socket = socket
    // Unheard, it would end the process; whoever waits is told.
    socket.on('error', (error) => {
      this.#failure ??= error
    })
  }

  static async open(settings: RabbitSettings, outbound: Outbound): Promise<AmqpConnection> {
    const { host, port, tls, ca } = settings
    const { address } = await outbound.resolve(host, port)
    const target = { host: address, port, noDelay: true, keepAlive: true }
    const socket = tls ? connectTls({ ...target, ...tlsNames(host, ca) }) : connectTcp(target)
    const connection = new AmqpConnection(socket)
    try {
      await connection.#settled(tls ? 'secureConnect' : 'connect', CONNECT_LIMIT_MS)
      await connection.#signIn(settings)
      return connection
    } catch (error) {
      connection.close()
      throw error
    }
  }

  /** What the server calls itself, such as `RabbitMQ 3.10.8`. */
  get server(): string {
    return this.#server
  }

  /** At the beginning, and again after a refusal that ended the channel only. */
  async openChannel(): Promise<void> {
    this.send(METHOD.openChannel, shortText(''))
    await this.#expect(METHOD.openChannelOk)
  }

  send(method: number, ...content: Buffer[]): void {
    this.#write(CHANNEL, method, ...content)
  }

  /** Sends a question, and answers what is said to it; messages that arrive before are given to `onMessage`. */
  async ask(
    method: number,
    answer: number,
    content: readonly Buffer[],
    onMessage: (message: AmqpMessage) => void = () => {}
  ): Promise<ValueReader> {
    this.send(method, ...content)
    for (;;) {
      const arrival = await this.next()
      if ('message' in arrival) onMessage(arrival.message)
      else if (arrival.method === answer) return arrival.values
    }
  }

  /** What arrives next; undefined where nothing does for so long. Fails after half a minute unless a time is given. */
  next(): Promise<Arrival>
  next(withinMs: number): Promise<Arrival | undefined>
  async next(withinMs?: number): Promise<Arrival | undefined> {
    const limitMs = performance.now() + (withinMs ?? SILENCE_LIMIT_MS)
    for (;;) {
      const frame = await this.#nextFrame(limitMs)
      if (frame === undefined && withinMs !== undefined) return undefined
      if (frame === undefined) throw new AmqpSilence('late', this.#isUnderstood)
      // That the server is alive is not what was waited for.
      if (frame.kind !== KIND.method) continue
      const arrival = this.#methodIn(frame)
      if (arrival.method !== METHOD.deliver) return arrival
      return { method: METHOD.deliver, message: await this.#message(arrival.values) }
    }
  }

  close(): void {
    clearInterval(this.#heartbeat)
    this.#socket.destroy()
  }

  async #signIn({ user = '', password = '', vhost }: RabbitSettings): Promise<void> {
    this.#socket.write('AMQP\0\0\x09\x01')
    this.#server = serverIn(await this.#expect(METHOD.start))
    this.#write(
      0,
      METHOD.startOk,
      table(CLIENT_PROPERTIES),
      shortText('PLAIN'),
      longText(`\0${user}\0${password}`),
      shortText('en_US')
    )
    const proposed = await this.#expect(METHOD.tune)
    const most = [proposed.short(), proposed.long(), proposed.short()] as const
    const frameBytes = most[1] === 0 ? MAX_FRAME_BYTES : Math.min(most[1], MAX_FRAME_BYTES)
    const seconds = most[2] === 0 ? HEARTBEAT_SECONDS : Math.min(most[2], HEARTBEAT_SECONDS)
    this.#write(0, METHOD.tuneOk, short(1), long(frameBytes), short(seconds))
    this.#heartbeat = setInterval(() => this.#beat(), (seconds * 1000) / 2)
    this.#heartbeat.unref()
    this.#write(0, METHOD.open, shortText(vhost), shortText(''), octet(0))
    await this.#expect(METHOD.openOk)
    await this.openChannel()
  }

  async #expect(method: number): Promise<ValueReader> {
    for (;;) {
      const arrival = await this.next()
      if (arrival.method === method && 'values' in arrival) return arrival.values
    }
  }

  #write(channel: number, method: number, ...content: Buffer[]): void {
    this.#socket.write(encodeFrame(KIND.method, channel, Buffer.concat([long(method), ...content])))
  }

  #beat(): void {
    this.#socket.write(encodeFrame(KIND.heartbeat, 0, Buffer.alloc(0)))
  }

  /** Throws where it says that all is over. */
  #methodIn({ content }: Frame): { readonly method: number; readonly values: ValueReader } {
    const { method, values } = methodOf(content)
    if (method === METHOD.close) throw new AmqpRefusal(values.short(), values.shortText(), 'connection')
    if (method === METHOD.closeChannel) {
      this.send(METHOD.closeChannelOk)
      throw new AmqpRefusal(values.short(), values.shortText(), 'channel')
    }
    // It is the server that stops when the queue is deleted.
    if (method === METHOD.stopConsuming) throw new AmqpRefusal(404, 'it was deleted while it was read', 'channel')
    return { method, values }
  }

  async #message(values: ValueReader): Promise<AmqpMessage> {
    const envelope = readEnvelope(values)
    const { bytes, ...rest } = readContentHeader((await this.#part(KIND.header)).content)
    const parts: Buffer[] = []
    for (let left = bytes; left > 0n; ) {
      const { content } = await this.#part(KIND.body)
      left -= BigInt(content.length)
      if (left < 0n) throw new BadFrame('a message is longer than said')
      if (bytes <= MAX_BODY_BYTES) parts.push(content)
    }
    const [first = Buffer.alloc(0)] = parts
    const body = bytes > MAX_BODY_BYTES ? null : parts.length > 1 ? Buffer.concat(parts) : first
    return { ...envelope, ...rest, body }
  }

  /** The next part of a message, which nothing else of the channel comes between. */
  async #part(kind: number): Promise<Frame> {
    const limitMs = performance.now() + SILENCE_LIMIT_MS
    for (;;) {
      const frame = await this.#nextFrame(limitMs)
      if (frame === undefined) throw new AmqpSilence('late', true)
      if (frame.kind === KIND.method) this.#methodIn(frame)
      if (frame.kind === kind) return frame
      if (frame.kind !== KIND.heartbeat) throw new BadFrame('a message has parts in a wrong order')
    }
  }

  /** Undefined where none is there at that time. */
  async #nextFrame(limitMs: number): Promise<Frame | undefined> {
    for (;;) {
      const frame = this.#frames.next()
      if (frame !== undefined) {
        this.#isUnderstood = true
        return frame
      }
      const bytes = await this.#nextBytes(Math.max(0, limitMs - performance.now()))
      if (bytes === undefined) return undefined
      if (bytes[0] === TLS_ALERT && !this.#isUnderstood) throw unencrypted()
      this.#frames.add(bytes)
    }
  }

  /** What arrives next; undefined where it takes too long. */
  #nextBytes(limitMs: number): Promise<Buffer | undefined> {
    const socket = this.#socket
    return new Promise((resolve, reject) => {
      const onData = (bytes: Buffer) => end(() => resolve(bytes))
      const onClose = () => end(() => reject(this.#failure ?? new AmqpSilence('gone', this.#isUnderstood)))
      const timer = setTimeout(() => end(() => resolve(undefined)), limitMs)
      const end = (settle: () => void) => {
        clearTimeout(timer)
        socket.pause()
        socket.off('data', onData).off('close', onClose).off('end', onClose)
        settle()
      }
      socket.on('data', onData).on('close', onClose).on('end', onClose)
      if (socket.destroyed || socket.readableEnded) onClose()
      else socket.resume()
    })
  }

  #settled(event: 'connect' | 'secureConnect', limitMs: number): Promise<void> {
    const socket = this.#socket
    return new Promise((resolve, reject) => {
      const onClose = () => end(() => reject(this.#failure ?? new AmqpSilence('gone', false)))
      const timer = setTimeout(() => end(() => reject(new AmqpSilence('late', false))), limitMs)
      const onDone = () => end(resolve)
      const end = (settle: () => void) => {
        clearTimeout(timer)
        socket.off(event, onDone).off('close', onClose)
        settle()
      }
      socket.once(event, onDone).once('close', onClose)
    })
  }
}

function serverIn(values: ValueReader): string {
  values.short() // the version of the protocol
  const properties = Object.fromEntries(values.table())
  return `${properties.product} ${properties.version}`
}
