import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { CLUSTER, type NodePorts, PASSWORD, serverConfig, USER, usersConfig } from './clickhouse-config.ts'
import { missingFile, missingPrograms } from './installed.ts'
import { answers, startService } from './service.ts'
import type { Zookeeper } from './zookeeper.ts'

// Debian's server crashes at its end with the allocator of the C library.
const allocator = ['aarch64', 'x86_64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/libjemalloc.so.2`)
  .find(existsSync)

export interface Clickhouse {
  readonly nodes: readonly ClickhouseNode[]
  /** The address for the engine: the user with a password, on the first node. */
  engineUrl(database: string): string
  stop(): Promise<void>
}

export interface ClickhouseNode {
  /** The HTTP interface, where `default` needs no password. */
  readonly url: string
  /** Ends it as a power failure would. */
  kill(): Promise<void>
  /** Starts it again, with the data it has kept. */
  start(): Promise<void>
}

export function missingClickhouse(): string | undefined {
  return missingPrograms('clickhouse-server') ?? missingFile('libjemalloc2', allocator ?? '')
}

/** One node, or a cluster of shards, which needs a ZooKeeper; in folders below this one, which stay when it stopped. */
export async function startClickhouse(
  folder: string,
  { shards = 1, zookeeper }: { readonly shards?: number; readonly zookeeper?: Zookeeper } = {}
): Promise<Clickhouse> {
  const ports: NodePorts[] = []
  for (let i = 0; i < shards; i++) {
    ports.push({ http: await freePort(), tcp: await freePort(), interserver: await freePort() })
  }
  const starting = ports.map(({ http }, i) => {
    const own = join(folder, `node-${i + 1}`)
    for (const name of ['data', 'tmp', 'files', 'formats']) mkdirSync(join(own, name), { recursive: true })
    writeFileSync(join(own, 'config.xml'), serverConfig(own, i, ports, zookeeper))
    writeFileSync(join(own, 'users.xml'), usersConfig())
    return startNode(own, `http://127.0.0.1:${http}`)
  })
  const nodes = await Promise.all(starting)
  const credentials = `${USER}:${encodeURIComponent(PASSWORD)}`
  const options = shards > 1 ? `?cluster=${CLUSTER}&replicated=true` : ''
  return {
    nodes,
    engineUrl: (database) => `clickhouse://${credentials}@127.0.0.1:${ports[0]?.http}/${database}${options}`,
    async stop() {
      await Promise.all(nodes.map((node) => node.kill()))
    }
  }
}

async function startNode(folder: string, url: string): Promise<ClickhouseNode> {
  const server = ['clickhouse-server', `--config-file=${join(folder, 'config.xml')}`]
  const launch = () =>
    startService({ command: 'env', args: [`LD_PRELOAD=${allocator}`, ...server], folder }, () => answers(`${url}/ping`))
  let service = await launch()
  return {
    url,
    kill: () => service.stop('SIGKILL'),
    async start() {
      service = await launch()
    }
  }
}
