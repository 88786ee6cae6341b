import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { missingClickhouse } from '../../../../test/support/servers/clickhouse.ts'
import { missingZookeeper } from '../../../../test/support/servers/zookeeper.ts'
import { ask, question, refused, write, writeGood } from '../testing/asking.ts'
import { seriesContract } from '../testing/contract.ts'
import { openClickhouse } from './index.ts'
import { run, type Servers, startCluster, underTest } from './testing/servers.ts'

const missing = missingClickhouse() ?? missingZookeeper()

describe('clickhouse on two shards with replicated tables', { skip: missing ?? false }, () => {
  let servers: Servers
  before(async () => {
    servers = await startCluster()
  })
  after(() => servers?.stop())

  seriesContract('ClickHouse', { missing, ...underTest(() => servers) })

  test('both shards have points, each series is on one, and an answer has all or is none', async () => {
    const series = await openClickhouse({ url: servers.engineUrl('shards') })
    const lines = Array.from({ length: 100 }, (_, i) => `t${i % 20} value=${i} ${i}`)
    await writeGood(series, 'a', lines.join('\n'))
    const tags = await Promise.all(
      servers.nodes.map(async ({ url }) => (await run(url, 'SELECT DISTINCT tag FROM shards.points_local')).split('\n'))
    )
    assert.ok(
      tags.every(({ length }) => length > 0 && length < 20),
      JSON.stringify(tags)
    )
    assert.equal(new Set(tags.flat()).size, 20)
    assert.equal(tags.flat().length, 20)
    const engines = await run(
      servers.nodes[0]?.url as string,
      `SELECT engine FROM system.tables WHERE database = 'shards' AND name = 'points_local'`
    )
    assert.equal(engines, 'ReplicatedReplacingMergeTree')

    await servers.nodes[1]?.kill()
    await refused(series.query(question('a')), 'unavailable')
    await refused(series.query(question('a', { bucket: { count: 1, unit: 's' } })), 'unavailable')
    await refused(series.tags('a', { limit: 10 }), 'unavailable')
    await refused(series.check(), 'unavailable')
    await refused(write(series, 'a', lines.join('\n')), 'unavailable')
    await servers.nodes[1]?.start()
    await series.check()
    assert.equal((await ask(series, 'a')).stats.pointsRead, 100)
    await series.close()
  })
})
