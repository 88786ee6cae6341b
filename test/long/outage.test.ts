// Once: what is proven is about nodes, which know nothing of the database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { connectAsync, type MqttClient } from 'mqtt'
import { eventually } from '../support/eventually.ts'
import { connectPostgres, sqlConnection } from '../support/pipelines/counterparts.ts'
import { type Producer, produce } from '../support/pipelines/producer.ts'
import { openSite, type Site } from '../support/pipelines/site.ts'
import { type Mosquitto, missingMosquitto, startMosquitto } from '../support/servers/mosquitto.ts'
import { makeFolder, removeFolder } from '../support/servers/service.ts'
import { startSqlPostgres } from '../support/servers/sql-postgres.ts'
import type { SqlServer } from '../support/servers/sql-server.ts'

const AWAY_MS = 30_000
const RATE_PER_S = 50
const MADE = RATE_PER_S * 40
const ROWS = 500
/** The longest wait between two tries, and then some. */
const BACK_WITHIN_MS = 30_000
/** There is a lot of time to ask in. */
const ASK_EVERY_MS = 500
const STARTS_MS = Date.UTC(2026, 0, 1)

describe('while a broker and a database are away for 30 s', { skip: missingMosquitto() ?? false }, () => {
  const folder = makeFolder('outage')
  let site: Site
  let mosquitto: Mosquitto
  let postgres: SqlServer
  let sender: MqttClient
  let receiver: MqttClient
  const received: number[] = []
  let producer: Producer
  let sourceId: string
  /** Pipelines by what they do. */
  const ids = new Map<string, string>()

  before(async () => {
    ;[mosquitto, postgres] = await Promise.all([startMosquitto(folder), startSqlPostgres(folder)])
    site = await openSite({ PIPELINE_PROCESSES: '1' })
    const url = `mqtt://127.0.0.1:${mosquitto.port}`
    sender = await connectAsync(url)
    receiver = await connectAsync(url, { clientId: 'receiver', clean: false })
    receiver.on('message', (_, payload) => received.push(JSON.parse(payload.toString()).n))
    await receiver.subscribeAsync('out', { qos: 1 })
    for (const client of [sender, receiver]) client.on('error', () => {})
    await inDatabase('CREATE TABLE readings (n int PRIMARY KEY)')
    await insert(0)
    await site.client.post('/buckets', { name: 'outage' })
    sourceId = (await site.client.post('/catalog/sources', { name: 'outage' })).id
    for (const [name, nodes] of Object.entries(pipelines())) ids.set(name, await site.launch(name, nodes))
    for (const id of ids.values()) await site.reach(id, 'running')
    producer = produce(1000 / RATE_PER_S, (n) => sender.publish('in', JSON.stringify(pointOf(n)), { qos: 1 }))
  })
  after(async () => {
    producer?.stop()
    await site?.close()
    await Promise.all([sender?.endAsync(true), receiver?.endAsync(true)])
    await Promise.all([mosquitto?.stop(), postgres?.stop()])
    removeFolder(folder)
  })

  function pipelines(): Record<string, object[]> {
    const connection = { hosts: [`127.0.0.1:${mosquitto.port}`] }
    const database = sqlConnection(postgres)
    const generate = { id: 'in', type: 'generate', config: { fields: { n: 'n' }, ratePerS: RATE_PER_S, count: MADE } }
    const to = (id: string, type: string, config: object) => ({ id, type, config, inputs: ['in'] })
    const objects = (name: string) =>
      to('objects', 'object', { bucket: 'outage', prefix: `${name}/`, format: 'ndjson' })
    return {
      'from broker': [
        { id: 'in', type: 'mqtt', config: { connection, topics: ['in'] } },
        to('out', 'series', { source: sourceId, time: 'time', tag: "'n'", value: 'n' })
      ],
      'to broker': [generate, to('out', 'mqtt', { connection, topic: 'out' }), objects('to-broker')],
      'from database': [
        { id: 'in', type: 'sql', config: { connection: database, table: 'readings', cursor: 'n', interval: '200ms' } },
        objects('from-database')
      ],
      'to database': [
        generate,
        to('out', 'sql', { connection: database, table: 'made', mode: 'upsert', keys: ['n'], create: true }),
        objects('to-database')
      ]
    }
  }

  async function inDatabase(sql: string): Promise<{ n: number }[]> {
    const client = await connectPostgres(postgres)
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
  const insert = (from: number) =>
    inDatabase(`INSERT INTO readings SELECT n FROM generate_series(${from}, ${from + ROWS - 1}) AS n`)
  const get = (name: string) => site.client.get(`/pipelines/${ids.get(name)}`)
  const nodeAtFault = (name: string) => (name.startsWith('from') ? 'in' : 'out')

  async function inObjects(name: string): Promise<number[]> {
    const { objects } = await site.client.get(`/buckets/outage/objects?prefix=${name}/&limit=1000`)
    const texts: string[] = []
    for (const { name: key } of objects) {
      texts.push(await site.client.text(`/buckets/outage/objects/${encodeURIComponent(key)}`))
    }
    return texts.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line).n)
  }

  it('all four pipelines run on, and say what is wrong', async () => {
    await eventually(async () => {
      for (const name of ids.keys()) assert.ok((await get(name)).run.ledger.recordsWritten > 0, name)
    })
    await Promise.all([mosquitto.stop('SIGTERM'), postgres.stop('SIGINT')])
    const backMs = performance.now() + AWAY_MS
    for (const name of ids.keys()) {
      await eventually(async () => {
        const { nodeFigures } = await get(name)
        const figures = nodeFigures.find(({ id }: { id: string }) => id === nodeAtFault(name))
        assert.ok(figures.errors > 0, `${name}: no error is counted`)
        const lines = await site.logOf(ids.get(name) as string)
        assert.ok(
          lines.some(({ level, nodeId }) => level === 'warn' && nodeId === nodeAtFault(name)),
          `${name}: nothing in the log`
        )
      })
    }
    // The outage itself is what takes time; until its end they are asked again and again.
    while (performance.now() < backMs) {
      for (const name of ids.keys()) {
        const { status, error } = await get(name)
        assert.equal(status, 'running', `${name}: ${JSON.stringify(error)}`)
      }
      await delay(ASK_EVERY_MS)
    }
  })

  it('they go on by themselves, and nothing is lost', async (t) => {
    await Promise.all([mosquitto.restart(), postgres.restart()])
    const backMs = performance.now()
    await insert(ROWS)
    const sent = producer.stop()
    await eventually(async () => {
      await delay(ASK_EVERY_MS)
      for (const name of ['to broker', 'to database']) assert.equal((await get(name)).status, 'completed', name)
      assert.ok((await get('from broker')).run.ledger.recordsRead >= sent)
      assert.equal((await get('from database')).run.ledger.recordsRead, 2 * ROWS)
    }, BACK_WITHIN_MS)
    t.diagnostic(`all is through ${Math.round(performance.now() - backMs)} ms after they are back`)
    for (const name of ['from broker', 'from database']) await site.stop(ids.get(name) as string)
    for (const name of ids.keys()) assert.equal((await get(name)).run.balanced, true, name)

    const span = { startTime: '2025-12-31', endTime: '2027-01-01' }
    const { series } = await site.client.post('/catalog/query', { sourceId, ...span })
    assertNumbers(
      series[0].points.map(({ value }: { value: number }) => value),
      sent,
      'from broker'
    )
    assertNumbers(await inObjects('from-database'), 2 * ROWS, 'from database')
    assertNumbers(await inObjects('to-broker'), MADE, 'objects beside the broker')
    assertNumbers(await inObjects('to-database'), MADE, 'objects beside the database')
    const rows = await inDatabase('SELECT n::int FROM made')
    assertNumbers(
      rows.map(({ n }) => n),
      MADE,
      'to database'
    )
    await eventually(() => assertNumbers([...new Set(received)], MADE, 'to broker'))
    t.diagnostic(`${received.length - MADE} of ${MADE} messages came twice`)
  })
})

const pointOf = (n: number) => ({ n, time: new Date(STARTS_MS + n * 1000).toISOString() })

/** Each from 0 on, once. */
function assertNumbers(found: readonly number[], count: number, where: string): void {
  const sorted = [...found].sort((a, b) => a - b)
  assert.deepEqual(sorted, [...Array(count).keys()], where)
}
