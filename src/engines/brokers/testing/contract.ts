import { after, before, describe } from 'node:test'
import { makeFolder, removeFolder } from '../../../../test/support/servers/service.ts'
import { createOutbound, type Outbound } from '../../outbound/index.ts'
import { type Broker, type BrokerKind, type BrokerSettings, type ConsumeOptions, openBroker } from '../index.ts'
import { promisesOfDelivery } from './delivery.ts'
import { promisesOfOutages } from './outages.ts'
import { promisesOfRefusals } from './refusals.ts'

export interface BrokerServer {
  readonly host: string
  readonly port: number
  stop(): Promise<void>
  /** Ends it as a power failure would. */
  kill(): Promise<void>
  /** Starts it again, with the data it has kept. */
  revive(): Promise<void>
}

export interface BrokerUnderTest {
  readonly kind: BrokerKind
  /** Why the suite can't run here. */
  readonly missing: string | undefined
  /** Why these tests can't be run on it; undefined where they can. */
  readonly lacks: { readonly positions?: string; readonly sizeLimit?: string; readonly users?: string }
  start(folder: string, user?: { readonly user: string; readonly password: string }): Promise<BrokerServer>
  /** Another way to resolve its addresses. */
  outbound?(outbound: Outbound): Outbound
  /** Makes what has to exist before something can be published to this topic. */
  prepare?(settings: BrokerSettings, topic: string): Promise<void>
  /** The stream of a topic, for consuming and publishing. */
  streamOf?(topic: string): string
}

/** What the parts of the suite work with. */
export interface Given {
  readonly lacks: BrokerUnderTest['lacks']
  server(): BrokerServer
  broker(): Broker
  /** Opens another broker, which is closed with the suite. */
  open(settings?: Partial<BrokerSettings>, outbound?: Outbound): Promise<Broker>
  /** A topic to which nobody has published. */
  newTopic(): Promise<string>
  /** Options to consume this topic from its beginning, as a new group. */
  options(topic: string): ConsumeOptions & { readonly group: string }
  publish(topic: string, payloads: readonly string[]): Promise<void>
  startWithUser(user: { readonly user: string; readonly password: string }): Promise<BrokerServer>
}

/** The tests that every broker has to pass. */
export function brokerContract(name: string, under: BrokerUnderTest): void {
  describe(`${name} keeps the promises of brokers`, { skip: under.missing ?? false }, () => {
    const folder = makeFolder('broker')
    const plain = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    const outbound = under.outbound?.(plain) ?? plain
    const opened: Broker[] = []
    const servers: BrokerServer[] = []
    let server: BrokerServer
    let broker: Broker
    let topics = 0
    const settings = () => ({ kind: under.kind, hosts: [`${server.host}:${server.port}`] })
    const given: Given = {
      lacks: under.lacks,
      server: () => server,
      broker: () => broker,
      async open(other = {}, through = outbound) {
        const one = await openBroker({ ...settings(), ...other }, { outbound: through })
        opened.push(one)
        return one
      },
      async newTopic() {
        topics += 1
        const topic = `topic-${topics}`
        await under.prepare?.(settings(), topic)
        return topic
      },
      options: (topic) => ({
        topics: [topic],
        group: `group-of-${topic}`,
        from: 'earliest',
        ...(under.streamOf && { stream: under.streamOf(topic) })
      }),
      publish: (topic, payloads) =>
        broker.publish(
          payloads.map((payload) => ({ topic, key: 'same', payload })),
          under.streamOf && { stream: under.streamOf(topic) }
        ),
      async startWithUser(user) {
        const one = await under.start(`${folder}/${servers.length}`, user)
        servers.push(one)
        return one
      }
    }
    before(async () => {
      server = await under.start(folder)
      servers.push(server)
      broker = await given.open()
    })
    after(async () => {
      await Promise.all(opened.map((one) => one.close()))
      await plain.close()
      await Promise.all(servers.map((one) => one.stop()))
      removeFolder(folder)
    })

    // In parallel, because some brokers let a group wait for seconds.
    describe('while it is up', { concurrency: true }, () => {
      promisesOfDelivery(given)
      promisesOfRefusals(given)
    })
    promisesOfOutages(given)
  })
}
