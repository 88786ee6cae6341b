import { after, before, describe } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { makeFolder, removeFolder } from '../../../../test/support/servers/service.ts'
import { type Broker, type BrokerKind, openBroker } from '../../../engines/brokers/index.ts'
import { createOutbound, type Outbound } from '../../../engines/outbound/index.ts'
import type { HostedRun } from '../host/hosted-run.ts'
import { promisesOfOutages, promisesOfSinks, promisesOfSources } from './messages-promises.ts'
import { openWorkshop, type Ran, type RunOptions, type Workshop } from './workshop.ts'

export interface MessagesUnderTest {
  readonly kind: BrokerKind
  readonly missing: string | undefined
  /** Whether what was read stands in checkpoints, so that nothing comes twice. */
  readonly hasPositions: boolean
  start(folder: string): Promise<MessageServer>
  /** What must be there before something can be sent to the topic. */
  prepare?(hosts: readonly string[], topic: string): Promise<void>
  /** What else the configurations of source and sink need. */
  source?(topic: string): object
  sink?(topic: string): object
  outbound?(outbound: Outbound): Outbound
}

export interface MessageServer {
  readonly host: string
  readonly port: number
  /** Takes it away for a while. */
  away(): Promise<void>
  back(): Promise<void>
  stop(): Promise<void>
}

/** What a suite has to do with. */
export interface Given {
  readonly under: MessagesUnderTest
  workshop(): Workshop
  broker(): Broker
  server(): MessageServer
  newTopic(): Promise<string>
  connection(): object
  publish(topic: string, payloads: readonly string[]): Promise<void>
  /** Reads a topic into objects until `isDone`, then stops. */
  receive(topic: string, prefix: string, isDone: (run: HostedRun) => boolean, options?: ReceiveOptions): Promise<Ran>
  /** Sends what a node with this configuration gives. */
  send(topic: string, generate: object, config?: object): Promise<Ran>
}

export interface ReceiveOptions extends RunOptions {
  readonly config?: object
  /** Called once messages are received. */
  onOpen?(): Promise<void>
}

/** What sources and sinks of messages promise, with a real broker. */
export function messagesSuite(name: string, under: MessagesUnderTest, more?: (given: Given) => void): void {
  describe(`${name} in pipelines`, { skip: under.missing ?? false }, () => {
    const folder = makeFolder('messages')
    const plain = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
    let outbound: Outbound
    let server: MessageServer
    let workshop: Workshop
    let broker: Broker
    let topics = 0
    const hosts = () => [`${server.host}:${server.port}`]

    before(async () => {
      server = await under.start(folder)
      outbound = under.outbound?.(plain) ?? plain
      workshop = await openWorkshop()
      broker = await openBroker({ kind: under.kind, hosts: hosts() }, { outbound: plain })
    })
    after(async () => {
      await broker.close()
      await workshop.close()
      await server.stop()
      await plain.close()
      removeFolder(folder)
    })

    const given: Given = {
      under,
      workshop: () => workshop,
      broker: () => broker,
      server: () => server,
      connection: () => ({ hosts: hosts() }),
      async newTopic() {
        topics += 1
        const topic = `topic-${topics}`
        await under.prepare?.(hosts(), topic)
        return topic
      },
      publish: (topic, payloads) => broker.publish(payloads.map((payload) => ({ topic, payload }))),
      async receive(topic, prefix, isDone, { config, onOpen, ...options } = {}) {
        let opened: Promise<unknown> | undefined
        let isOver = false
        const run = workshop.run(
          [
            {
              id: 'in',
              type: under.kind,
              config: {
                connection: { hosts: hosts() },
                topics: [topic],
                group: topic,
                ...under.source?.(topic),
                ...config
              }
            },
            { id: 'out', type: 'object', config: { bucket: 'b', prefix, format: 'ndjson' }, inputs: ['in'] }
          ],
          {
            outbound,
            ...options,
            with(run) {
              opened = eventually(() => isOver || run.feedOf('in') !== undefined)
                .then(() => (isOver ? undefined : onOpen?.()))
                .then(() => eventually(() => isOver || isDone(run)))
                .finally(() => run.stop())
            }
          }
        )
        try {
          return await run
        } finally {
          isOver = true
          await opened
        }
      },
      send: (topic, generate, config = {}) =>
        workshop.run(
          [
            { id: 'gen', type: 'generate', config: generate as { [name: string]: unknown } },
            {
              id: 'out',
              type: under.kind,
              config: { connection: { hosts: hosts() }, topic, ...under.sink?.(topic), ...config },
              inputs: ['gen']
            }
          ],
          { outbound }
        )
    }
    // All at once: a group takes its time to form.
    describe('while the broker is there', { concurrency: true }, () => {
      promisesOfSources(given)
      promisesOfSinks(given)
      more?.(given)
    })
    describe('when it is not', () => promisesOfOutages(given))
  })
}
