import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { missingPrograms } from './installed.ts'
import { type KafkaRelay, type KafkaRelayOptions, startKafkaRelay } from './kafka-relay.ts'
import { startService } from './service.ts'

/**
 * The cluster of one that librdkafka brings for tests: producing, fetching and consumer groups, all in memory. Topics
 * appear when they are used, with four partitions; there is no controller, so that nothing can be administered.
 */
export interface KafkaMock {
  readonly host: '127.0.0.1'
  readonly port: number
  /** Starts a relay to the same mock, which is stopped with it. */
  relay(options: KafkaRelayOptions): Promise<KafkaRelay>
  stop(signal?: NodeJS.Signals): Promise<void>
}

export function missingKafkaMock(): string | undefined {
  return missingPrograms('kcat')
}

/** It has no `restart`: its port can't be chosen, and it would have forgotten everything. */
export async function startKafkaMock(parent: string): Promise<KafkaMock> {
  const folder = join(parent, 'kafka-mock')
  mkdirSync(folder, { recursive: true })
  const settings = ['-X', 'test.mock.num.brokers=1', '-d', 'mock']
  const args = ['-C', '-t', 'keepalive', '-b', 'unused:1', ...settings]
  const service = await startService({ command: 'kcat', args, folder }, printedBootstrapPort)
  const relays: KafkaRelay[] = []
  const relay = async (options: KafkaRelayOptions) => {
    const one = await startKafkaRelay(service.ready, options)
    relays.push(one)
    return one
  }
  const { port } = await relay({})
  return {
    host: '127.0.0.1',
    port,
    relay,
    async stop(signal) {
      await Promise.all(relays.map((one) => one.stop()))
      await service.stop(signal)
    }
  }
}

function printedBootstrapPort(output: string): number | false {
  const [, port] = /bootstrap\.servers=127\.0\.0\.1:(\d+)/.exec(output) ?? []
  return port !== undefined && Number(port)
}
