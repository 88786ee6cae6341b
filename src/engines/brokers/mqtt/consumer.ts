import type { ErrorWithSubackPacket, IPublishPacket } from 'mqtt'
import type { SizedConsumeOptions } from '../create-broker.ts'
import { BrokerError } from '../errors.ts'
import type { Message, TakeOptions } from '../index.ts'
import type { Session } from '../link.ts'
import { LinkedConsumer } from '../linked-consumer.ts'
import { MqttMessage, pubacks } from './acknowledgements.ts'
import type { MqttConnection, SessionOptions } from './connection.ts'
import { refusal } from './reasons.ts'

const WEEK_S = 7 * 24 * 3600
const SHORT_OUTAGE_S = 300

interface MqttSession extends Session {
  /** The identity of the connection, which its messages carry. */
  readonly id: object
  readonly connection: MqttConnection
}

export class MqttConsumer extends LinkedConsumer<MqttMessage, MqttSession> {
  readonly #connect: (session: SessionOptions) => Promise<MqttConnection>
  readonly #options: SizedConsumeOptions
  readonly #clientId: string
  /** Messages taken with QoS 1 and not acknowledged, oldest first. The broker sends at most 65,535 of them. */
  #unacknowledged: MqttMessage[] = []
  #count = 0
  #wasConnected = false
  /** Lets the next message come. */
  #held: (() => void) | undefined

  constructor(
    connect: (session: SessionOptions) => Promise<MqttConnection>,
    options: SizedConsumeOptions,
    clientId: string
  ) {
    super(options)
    this.#connect = connect
    this.#options = options
    this.#clientId = clientId
    this.inbox.onRoom = () => {
      const held = this.#held
      this.#held = undefined
      held?.()
    }
  }

  override async take(options: TakeOptions): Promise<Message[]> {
    const taken = await this.inbox.take(options)
    if (this.#options.qos === 0) return taken
    for (const message of taken) if (message.packetId !== 0) this.#unacknowledged.push(message)
    return taken
  }

  override async acknowledge(last: Message): Promise<void> {
    if (!(last instanceof MqttMessage)) throw new BrokerError('invalid', 'This message did not come from here')
    if (this.#options.qos === 0) return
    const session = this.requireSession()
    const end = this.#unacknowledged.findIndex(({ count }) => count > last.count)
    const dealtWith = this.#unacknowledged.splice(0, end === -1 ? this.#unacknowledged.length : end)
    const ids = dealtWith.filter((message) => message.session === session.id).map((message) => message.packetId)
    if (ids.length === 0) return
    const { client, lifetime } = session.connection
    await lifetime.during(new Promise<void>((resolve) => client.stream.write(pubacks(ids), () => resolve())))
  }

  protected override async open(): Promise<MqttSession> {
    const { group, topics, qos = 1 } = this.#options
    const id = {}
    const connection = await this.#connect({
      clientId: this.#clientId,
      // Without a group the session lasts as long as this consumer, so that it survives short outages.
      clean: group === undefined && !this.#wasConnected,
      expiryS: group === undefined ? SHORT_OUTAGE_S : WEEK_S,
      onSession: (isResumed) => this.#begin(isResumed),
      onMessage: (packet, done) => this.#receive(packet, done, id)
    })
    try {
      await connection.lifetime.during(connection.client.subscribeAsync([...topics], { qos }))
    } catch (error) {
      await connection.close()
      throw subscriptionError(error)
    }
    this.#wasConnected = true
    const close = () => connection.close({ forget: group === undefined })
    return { id, connection, over: () => connection.lifetime.over(), close }
  }

  #begin(isResumed: boolean): void {
    // Packet ids are only valid within a connection.
    this.#unacknowledged = []
    this.#held = undefined
    // The broker sends these again.
    if (isResumed) this.inbox.drop((message) => message.packetId !== 0)
  }

  #receive(packet: IPublishPacket, done: () => void, session: object): void {
    const packetId = packet.qos === 0 ? 0 : (packet.messageId as number)
    this.#count += 1
    this.inbox.put(new MqttMessage(packet as { topic: string; payload: Buffer }, this.#count, packetId, session))
    if (this.inbox.isFull) this.#held = done
    else done()
  }
}

function subscriptionError(error: unknown): unknown {
  const { packet, message } = error as Partial<ErrorWithSubackPacket>
  const code = packet?.granted.find((granted) => Number(granted) >= 0x80)
  return refusal(code, 'The subscription', message ?? '') ?? error
}
