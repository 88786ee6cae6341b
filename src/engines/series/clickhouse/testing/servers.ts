import { eventually } from '../../../../../test/support/eventually.ts'
import { type Clickhouse, startClickhouse } from '../../../../../test/support/servers/clickhouse.ts'
import { makeFolder, removeFolder } from '../../../../../test/support/servers/service.ts'
import { startZookeeper } from '../../../../../test/support/servers/zookeeper.ts'
import type { SeriesUnderTest } from '../../testing/contract.ts'
import { openClickhouse } from '../index.ts'

export interface Servers extends Clickhouse {
  /** Stops the servers and removes their files. */
  stop(): Promise<void>
}

export async function startOne(): Promise<Servers> {
  const folder = makeFolder('clickhouse')
  const clickhouse = await startClickhouse(folder)
  return {
    ...clickhouse,
    async stop() {
      await clickhouse.stop()
      removeFolder(folder)
    }
  }
}

/** Two shards, and the ZooKeeper that they need. */
export async function startCluster(): Promise<Servers> {
  const folder = makeFolder('clickhouse')
  const zookeeper = await startZookeeper(folder)
  const clickhouse = await startClickhouse(folder, { shards: 2, zookeeper })
  return {
    ...clickhouse,
    async stop() {
      await clickhouse.stop()
      await zookeeper.stop()
      removeFolder(folder)
    }
  }
}

/** An engine for the contract, in a database of its own; the servers keep running. */
export function underTest(servers: () => Servers): Omit<SeriesUnderTest, 'missing'> {
  return {
    isExactCount: false,
    async start() {
      const url = servers().engineUrl('contract')
      let series = await openClickhouse({ url })
      return {
        series,
        async restart() {
          await series.close()
          await Promise.all(servers().nodes.map(({ url }) => removed(url)))
          await Promise.all(servers().nodes.map((node) => node.kill()))
          await Promise.all(servers().nodes.map((node) => node.start()))
          series = await openClickhouse({ url })
          return series
        },
        stop: async () => {}
      }
    }
  }
}

/**
 * Waits until deleted rows are removed. Debian's version, killed in the middle of that, loses points of a replicated
 * table that no other replica has: it says "Will not recover parts covered by zero-level part".
 */
async function removed(url: string): Promise<void> {
  await eventually(
    async () => (await run(url, 'SELECT count() FROM system.mutations WHERE NOT is_done')) === '0',
    30_000
  )
}

/** What a server answers to a statement, as its user without a password. */
export async function run(url: string, sql: string): Promise<string> {
  // ClickHouse closes connections that nobody used for 3 s, maybe at the moment in which somebody does.
  const answer = await fetch(url, { method: 'POST', body: sql, headers: { connection: 'close' } })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  return text.trimEnd()
}
