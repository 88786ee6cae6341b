import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { jetstreamManager } from '@nats-io/jetstream'
import { runProgram } from '../servers/service.ts'
import type { Counterparts } from './counterparts.ts'
import { SAMPLE_FIELDS, samples, TAG } from './sample.ts'
import type { Site } from './site.ts'

export const BUCKET = 'matrix'

interface SourceNode {
  readonly id: string
  readonly type: string
  readonly config?: object
  readonly inputs?: readonly string[]
}

/** The nodes that produce the samples, the last of which other nodes read, and how to send the samples. */
export interface SourceUnderTest {
  readonly nodes: readonly SourceNode[]
  /** Whether the source ends by itself. */
  readonly isBounded: boolean
  /** Sends the samples; called once the pipeline runs. */
  send?(pipelineId: string): Promise<void>
  close?(): void
}

type Make = (given: { site: Site; outside: Counterparts; count: number }) => Promise<SourceUnderTest>

const source = (type: string, config: object) => [{ id: 'in', type, config }]
const payloads = (count: number) => samples(count).map((record) => JSON.stringify(record))

/** Sources by type of node. */
export const SOURCES: Readonly<Record<string, Make>> = {
  async generate({ count }) {
    return { nodes: source('generate', { count, fields: SAMPLE_FIELDS }), isBounded: true }
  },

  async http({ count }) {
    const server = createServer((_, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ items: samples(count) }))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    return {
      nodes: source('http', { url, records: '/items' }),
      isBounded: true,
      close() {
        server.close()
        server.closeAllConnections()
      }
    }
  },

  async webhook({ site, count }) {
    const send = async (id: string) => {
      const { url } = site.server
      const response = await fetch(`${url}/api/pipelines/${id}/nodes/in/records`, {
        method: 'POST',
        headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/x-ndjson' },
        body: payloads(count).join('\n')
      })
      if (!response.ok) throw new Error(await response.text())
    }
    return { nodes: [{ id: 'in', type: 'webhook' }], isBounded: false, send }
  },

  async mqtt({ outside: { mqtt, connections }, count }) {
    const send = async () => {
      for (const payload of payloads(count)) await mqtt.publishAsync('in/samples', payload, { qos: 1 })
    }
    return { nodes: source('mqtt', { connection: connections.mqtt, topics: ['in/#'] }), isBounded: false, send }
  },

  async nats({ outside: { nats, connections }, count }) {
    await (await jetstreamManager(nats)).streams.add({ name: 'IN', subjects: ['in.>'] })
    for (const payload of payloads(count)) await nats.request('in.samples', payload)
    const config = { connection: connections.nats, topics: ['in.>'], stream: 'IN', from: 'earliest' }
    return { nodes: source('nats', config), isBounded: false }
  },

  async kafka({ outside: { folder, kafka, connections }, count }) {
    const file = join(folder, 'samples.ndjson')
    writeFileSync(file, payloads(count).join('\n'))
    const args = ['-P', '-b', `127.0.0.1:${kafka.port}`, '-t', 'in', '-l', file]
    await runProgram({ command: 'kcat', args, folder })
    const config = { connection: connections.kafka, topics: ['in'], from: 'earliest' }
    return { nodes: source('kafka', config), isBounded: false }
  },

  async file({ site, count }) {
    const key = encodeURIComponent('in/samples.ndjson')
    const content = `${payloads(count).join('\n')}\n`
    await site.client.put(`/buckets/${BUCKET}/objects/${key}`, content, 'application/x-ndjson')
    return { nodes: source('file', { reference: `object://${BUCKET}/in/*.ndjson` }), isBounded: true }
  },

  async sql({ outside: { postgres, connections }, count }) {
    await fillTable(postgres, 'samples', count)
    return { nodes: source('sql', { connection: connections.sql, table: 'samples', cursor: 'n' }), isBounded: true }
  },

  async stream({ site, outside: { postgres, connections }, count }) {
    await fillTable(postgres, 'streamed', count)
    const { kind: sourceId, ...config } = connections.sql as { kind: string }
    const { id } = await site.client.post('/connectors', { name: 'samples', sourceId, config })
    await site.client.post(`/connectors/${id}/discover`)
    return { nodes: source('stream', { connectorId: id, stream: 'public.streamed', cursor: 'n' }), isBounded: true }
  },

  /** A point can't hold a whole sample; a transform computes the rest. */
  async series({ site, count }) {
    const { id } = await site.client.post('/catalog/sources', { name: 'matrix in' })
    const points = samples(count).map(({ n, time }) => ({ tag: TAG, time, value: n }))
    await site.client.post(`/catalog/sources/${id}/points`, points)
    const { text, time, ...fields } = SAMPLE_FIELDS
    const select = { ...fields, text: "tag || ' ' || n::INTEGER", time: 'time' }
    const renamed = { id: 'numbered', type: 'map', config: { select: { n: 'value', tag: 'tag', time: 'time' } } }
    return {
      nodes: [
        ...source('series', { source: id }),
        { ...renamed, inputs: ['in'] },
        { id: 'whole', type: 'map', config: { select }, inputs: ['numbered'] }
      ],
      isBounded: true
    }
  }
}

async function fillTable(postgres: Counterparts['postgres'], table: string, count: number): Promise<void> {
  const columns = 'n int, text text, amount double precision, flag boolean, maybe text, time timestamptz'
  await postgres.query(`CREATE TABLE ${table} (${columns})`)
  await postgres.query(`INSERT INTO ${table} SELECT * FROM json_to_recordset($1) AS x(${columns})`, [
    JSON.stringify(samples(count))
  ])
}
