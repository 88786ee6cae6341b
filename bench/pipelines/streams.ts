import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startMosquitto } from '../../test/support/servers/mosquitto.ts'
import { putLoad } from '../support/servers.ts'
import type { PipelineServer } from './server.ts'

const GENERATED = 6_000_000

/** Records made, filtered, mapped and written as points. */
export async function measureGenerate(server: PipelineServer): Promise<number> {
  const { id: source } = await server.client.post('/catalog/sources', { name: 'generated' })
  const ms = await server.timeToCompleted('generate', [
    {
      id: 'gen',
      type: 'generate',
      config: {
        count: GENERATED,
        fields: { n: 'n', time: "TIMESTAMP '2026-01-01' + to_milliseconds(n)", value: '(n * 7919 % 100000) / 100.0' }
      },
      inputs: []
    },
    { id: 'some', type: 'filter', config: { where: 'n % 10 <> 3' }, inputs: ['gen'] },
    {
      id: 'named',
      type: 'map',
      config: { select: { time: 'time', tag: "'sensor-' || (n % 100)", value: 'value * 1.8 + 32' } },
      inputs: ['some']
    },
    { id: 'out', type: 'series', config: { source, time: 'time', tag: 'tag', value: 'value' }, inputs: ['named'] }
  ])
  return GENERATED / (ms / 1000)
}

const RECORDS_PER_REQUEST = 200
const WEBHOOK_MS = 10_000

/** Requests with 200 records each; every answer means that they are durable. */
export async function measureWebhook(server: PipelineServer): Promise<{ recordsPerS: number; p99Ms: number }> {
  await server.client.post('/buckets', { name: 'webhooks' })
  const id = await server.start('webhook', [
    { id: 'in', type: 'webhook', config: {}, inputs: [] },
    { id: 'mapped', type: 'map', config: { select: { f: 'temperature * 1.8 + 32' }, keep: true }, inputs: ['in'] },
    { id: 'out', type: 'object', config: { bucket: 'webhooks', prefix: 'in/', format: 'parquet' }, inputs: ['mapped'] }
  ])
  await server.untilWritten(id, 0, 30_000)
  const record = (i: number) =>
    `{"device":"dev-${i % 50}","temperature":${20 + (i % 90) / 10},"time":"2026-01-01T00:00:00.${String(i % 1000).padStart(3, '0')}Z"}`
  const body = Array.from({ length: RECORDS_PER_REQUEST }, (_, i) => record(i)).join('\n')
  const load = {
    port: server.port,
    method: 'POST',
    path: `/api/pipelines/${id}/nodes/in/records`,
    token: server.token,
    body,
    contentType: 'application/x-ndjson',
    connections: 32
  }
  await waitUntilRunning(server, id)
  await putLoad({ ...load, durationMs: 2000 })
  const { requestsPerS, p99Ms, wrongStatus } = await putLoad({ ...load, durationMs: WEBHOOK_MS })
  if (wrongStatus > 0) throw new Error(`${wrongStatus} requests were refused`)
  await server.client.post(`/pipelines/${id}/stop`)
  return { recordsPerS: requestsPerS * RECORDS_PER_REQUEST, p99Ms }
}

const MESSAGES = 400_000

/** Messages from a broker into points, from the first one published to the last one written. */
export async function measureMqtt(
  server: PipelineServer
): Promise<{ perS: number; written: number; published: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const broker = await startMosquitto(folder)
  try {
    const { id: source } = await server.client.post('/catalog/sources', { name: 'from-mqtt' })
    const id = await server.start('mqtt', [
      {
        id: 'in',
        type: 'mqtt',
        config: { connection: { hosts: [`127.0.0.1:${broker.port}`] }, topics: ['plant/#'], qos: 0 },
        inputs: []
      },
      { id: 'out', type: 'series', config: { source, time: 'time', tag: 'tag', value: 'value' }, inputs: ['in'] }
    ])
    await waitUntilRunning(server, id)
    const lines = join(folder, 'lines')
    writeFileSync(lines, Array.from({ length: MESSAGES }, (_, i) => messageOf(i)).join('\n'))
    const startedMs = performance.now()
    await publish(broker.port, lines)
    const endedMs = await server.untilWritten(id, MESSAGES, 60_000)
    await server.client.post(`/pipelines/${id}/stop`)
    return { perS: MESSAGES / ((endedMs - startedMs) / 1000), written: MESSAGES, published: MESSAGES }
  } finally {
    await broker.stop()
    rmSync(folder, { recursive: true })
  }
}

const messageOf = (i: number) =>
  `{"tag":"sensor-${i % 100}","time":"${new Date(Date.UTC(2026, 0, 1) + i).toISOString()}","value":${(i % 1000) / 10}}`

function publish(port: number, lines: string): Promise<void> {
  const input = openSync(lines, 'r')
  const child = spawn('mosquitto_pub', ['-p', String(port), '-t', 'plant/a', '-q', '0', '-l'], {
    stdio: [input, 'inherit', 'inherit']
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      closeSync(input)
      if (code === 0) resolve()
      else reject(new Error(`mosquitto_pub ended with ${code}`))
    })
  })
}

async function waitUntilRunning(server: PipelineServer, id: string): Promise<void> {
  for (;;) {
    const { status, error } = await server.client.get(`/pipelines/${id}`)
    if (status === 'running') return
    if (status === 'failed') throw new Error(JSON.stringify(error))
  }
}
