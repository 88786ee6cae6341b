import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { missingPrograms } from '../servers/installed.ts'
import type { Client } from './client.ts'
import { type ExampleServers, missingServers, runSql } from './examples-servers.ts'

const folder = join(import.meta.dirname, '../../../docs/examples')

/** What a check can read once the commands of an example were run. */
export interface Looks {
  readonly client: Client
  readonly servers: ExampleServers
  /** The pipeline in its present state. */
  pipeline(): Promise<{ run: { ledger: Record<string, number> } }>
  /** Points that the pipeline wrote, as "tag time value". */
  points(): Promise<string[]>
  /** Records of the objects below a prefix, in the order of keys. */
  records(bucket: string, prefix: string): Promise<unknown[]>
  /** Rows of objects in any format. */
  rows(): Promise<unknown[]>
  deadLetters(): Promise<string[]>
}

export interface Example {
  readonly missing?: string | undefined
  /** Checks the results; repeated until it succeeds. */
  check(looks: Looks): Promise<void>
}

const ledgerOf = async ({ pipeline }: Looks) => (await pipeline()).run.ledger

export const EXAMPLES: Readonly<Record<string, Example>> = {
  'mqtt-to-series.yaml': {
    missing: missingServers.mqtt ?? missingPrograms('mosquitto_pub'),
    async check({ points }) {
      assert.deepEqual(await points(), [
        'press-1.temperature 2026-03-09T13:00:00.000Z 60.5',
        'press-1.temperature 2026-03-09T13:00:10.000Z 62.5',
        'press-2.temperature 2026-03-09T13:00:00.000Z 71'
      ])
    }
  },
  'csv-to-parquet.yaml': {
    async check({ client, rows }) {
      const { objects } = await client.get('/buckets/example-parquet/objects?prefix=readings/')
      assert.deepEqual(
        objects.map(({ name }: { name: string }) => name),
        ['readings/day=2026-03-09/', 'readings/day=2026-03-10/']
      )
      assert.deepEqual(await rows(), [
        { time: '2026-03-09T23:59:00.000Z', machine: 'press-1', value: 60.5 },
        { time: '2026-03-10T00:01:00.000Z', machine: 'press-1', value: 61 },
        { time: '2026-03-10T00:02:00.000Z', machine: 'press-2', value: 70 }
      ])
    }
  },
  'postgres-to-parquet.yaml': {
    async check(looks) {
      const { objects } = await looks.client.get('/buckets/example-orders/objects?prefix=orders/')
      assert.equal(objects.length, 2)
      assert.deepEqual(await looks.rows(), [
        { id: 1, customer: 'ada', amount: 19.9, placed_at: '2026-03-09T13:00:00.000Z' },
        { id: 2, customer: 'grace', amount: 5, placed_at: '2026-03-09T13:05:00.000Z' },
        { id: 3, customer: 'ada', amount: 7.25, placed_at: '2026-03-09T14:00:00.000Z' }
      ])
      assert.equal((await ledgerOf(looks)).recordsRead, 1)
    }
  },
  'http-to-series.yaml': {
    async check({ points, pipeline, servers }) {
      assert.deepEqual(await points(), [
        'boiler.celsius 2026-03-09T13:00:00.000Z 81.5',
        'boiler.celsius 2026-03-09T13:05:00.000Z 82.5',
        'roof.celsius 2026-03-09T13:00:00.000Z 4'
      ])
      assert.deepEqual(servers.http.asked.slice(0, 3), ['', '?from=2', '?since=3'])
      assert.ok(!JSON.stringify(await pipeline()).includes('Bearer example'))
    }
  },
  'join-two-sources.yaml': {
    async check({ records }) {
      const found = (await records('example-shop', 'joined/')) as { id: number }[]
      assert.deepEqual(
        found.sort((a, b) => a.id - b.id),
        [
          { id: 1, name: 'Ada', amount: 19.9 },
          { id: 2, name: 'Grace', amount: 5 },
          { id: 3, name: 'Ada', amount: 7.25 },
          { id: 4, name: null, amount: 1 }
        ]
      )
    }
  },
  'alerts.yaml': {
    async check(looks) {
      assert.deepEqual(await looks.points(), ['press-1 2026-03-09T13:00:00.000Z 82'])
      assert.deepEqual(await looks.deadLetters(), ['minutes late'])
      assert.equal((await ledgerOf(looks)).recordsFiltered, 1)
    }
  },
  'webhook-validated.yaml': {
    async check({ records, deadLetters }) {
      assert.deepEqual(await records('example-inbox', 'stock/'), [
        { sku: 'A-1', pieces: 3 },
        { sku: 'A-4', pieces: 12, note: 'fragile' }
      ])
      assert.deepEqual(await deadLetters(), ['checked invalid_record', 'checked invalid_record'])
    }
  },
  'kafka-to-postgres.yaml': {
    missing: missingServers.kafka,
    async check(looks) {
      const sql = 'SELECT id::int, state, changed_at FROM example_order_states ORDER BY id'
      assert.deepEqual(JSON.parse(await runSql(looks.servers.postgres, sql)), [
        { id: 1, state: 'shipped', changed_at: '2026-03-09T15:00:00.000Z' },
        { id: 2, state: 'placed', changed_at: '2026-03-09T13:01:00.000Z' }
      ])
      const { recordsRead, recordsFiltered, recordsWritten } = await ledgerOf(looks)
      assert.deepEqual([recordsRead, recordsFiltered, recordsWritten], [4, 1, 3])
    }
  },
  'nats-masked.yaml': {
    missing: missingServers.nats,
    async check({ records }) {
      const found = (await records('example-visits', 'visits/')) as { email: string }[]
      const email = found[0]?.email ?? ''
      assert.match(email, /^[0-9a-f]{64}$/)
      assert.deepEqual(found, [
        { page: '/a', email, comment: '***', found: ['email', 'phone'] },
        { page: '/b', email, comment: '***', found: ['email'] }
      ])
    }
  },
  'downsample.yaml': {
    async check({ points }) {
      assert.deepEqual(await points(), ['power 2026-03-09T13:00:00.000Z 15', 'water 2026-03-09T13:00:00.000Z 3'])
    }
  },
  'files-to-clickhouse.yaml': {
    missing: missingServers.clickhouse,
    async check({ servers, deadLetters }) {
      const query =
        'SELECT machine, substring(toString(time), 1, 19), value FROM example_readings FINAL ORDER BY time FORMAT CSV'
      const [node] = servers.clickhouse?.nodes ?? []
      const answer = await fetch(`${node?.url}/`, { method: 'POST', body: query })
      assert.equal(await answer.text(), '"press-1","2026-03-09 13:00:00",60.5\n"press-1","2026-03-09 13:01:00",61\n')
      assert.deepEqual(await deadLetters(), ['files not_json'])
    }
  },
  'smoke-test.yaml': {
    async check(looks) {
      const { records, client } = looks
      const [, stated = ''] = /ledger says (.*?)\./s.exec(readFileSync(join(folder, 'smoke-test.yaml'), 'utf8')) ?? []
      const said = [...stated.replaceAll('\n#', '').matchAll(/(\w)(\w*) (\d+)/g)].map(([, first = '', rest, count]) => {
        return [`records${first.toUpperCase()}${rest}`, Number(count)]
      })
      assert.deepEqual(Object.fromEntries(said), { ...(await ledgerOf(looks)) })
      const hours = (await records('example-smoke', 'hours/')) as { records: number }[]
      assert.equal(hours.length, 28)
      assert.equal(
        hours.reduce((sum, hour) => sum + hour.records, 0),
        99_996
      )
      const { objects } = await client.get('/buckets/example-smoke/objects?prefix=raw/')
      assert.equal(objects.length, 10)
      const { sources } = await client.get('/catalog/sources?q=example-smoke')
      assert.equal(sources[0].pointCount, 99_996)
    }
  }
}
