import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { jetstreamManager } from '@nats-io/jetstream'
import { startCollector } from './collector.ts'
import type { Counterparts } from './counterparts.ts'
import { BUCKET } from './matrix-sources.ts'
import { type Sample, sample } from './sample.ts'
import type { Site } from './site.ts'

const run = promisify(execFile)

/** A sink that is ready for records, and how to read what arrived. */
export interface SinkUnderTest {
  readonly config: object
  arrived(): Promise<Sample[]>
  close?(): Promise<void>
}

/** `name` tells the pipelines apart. */
type Make = (given: { site: Site; outside: Counterparts; name: string }) => Promise<SinkUnderTest>

/** Sinks by type of node. */
export const SINKS: Readonly<Record<string, Make>> = {
  /** Keeps only time, tag and value; the rest is computed from these. */
  async series({ site, name }) {
    const { id } = await site.client.post('/catalog/sources', { name: `matrix ${name}` })
    return {
      config: { source: id, time: 'time', tag: 'text', value: 'amount' },
      async arrived() {
        const span = { startTime: '2025-12-31', endTime: '2027-01-01' }
        const { series } = await site.client.post('/catalog/query', { sourceId: id, ...span })
        return series.flatMap(({ tag, points }: { tag: string; points: { time: string; value: number }[] }) =>
          points.map(({ time, value }) => {
            const n = (value + 7.25) / 1.5
            return { ...sample(n), text: tag, time }
          })
        )
      }
    }
  },

  async object({ site, name }) {
    const prefix = `out/${name}/`
    return {
      config: { bucket: BUCKET, prefix, format: 'ndjson' },
      async arrived() {
        const { objects } = await site.client.get(`/buckets/${BUCKET}/objects?prefix=${prefix}&limit=1000`)
        const texts: string[] = []
        for (const { name: key } of objects) {
          texts.push(await site.client.text(`/buckets/${BUCKET}/objects/${encodeURIComponent(key)}`))
        }
        return texts.flatMap((text) => text.trim().split('\n')).map((line) => JSON.parse(line))
      }
    }
  },

  async sql({ outside: { postgres, connections }, name }) {
    const table = `out_${name}`
    return {
      config: { connection: connections.sql, table, create: true },
      async arrived() {
        const columns = 'n::float8, text, amount::float8, flag, maybe, time::text AS time'
        return (await postgres.query(`SELECT ${columns} FROM ${table}`)).rows
      }
    }
  },

  async http() {
    const collector = await startCollector<Sample>()
    return { config: { url: collector.url }, arrived: async () => collector.records(), close: () => collector.close() }
  },

  async mqtt({ outside: { mqtt, connections }, name }) {
    const topic = `out/${name}`
    const messages: Sample[] = []
    mqtt.on('message', (from, payload) => {
      if (from === topic) messages.push(JSON.parse(payload.toString()))
    })
    await mqtt.subscribeAsync(topic, { qos: 1 })
    return { config: { connection: connections.mqtt, topic }, arrived: async () => messages }
  },

  async nats({ outside: { nats, connections }, name }) {
    const stream = `OUT-${name}`
    const topic = `out.${name}`
    const manager = await jetstreamManager(nats)
    await manager.streams.add({ name: stream, subjects: [topic] })
    return {
      config: { connection: connections.nats, topic, stream },
      async arrived() {
        const { state } = await manager.streams.info(stream)
        const found: Sample[] = []
        for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
          found.push((await manager.streams.getMessage(stream, { seq }))?.json() as Sample)
        }
        return found
      }
    }
  },

  async kafka({ outside: { kafka, connections }, name }) {
    const topic = `out-${name}`
    return {
      config: { connection: connections.kafka, topic },
      async arrived() {
        const args = ['-C', '-q', '-b', `127.0.0.1:${kafka.port}`, '-t', topic, '-o', 'beginning', '-e', '-u']
        const { stdout } = await run('kcat', args, { timeout: 10_000, maxBuffer: 10_000_000 })
        return stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line))
      }
    }
  }
}
