import { setTimeout as delay } from 'node:timers/promises'
import { putLoad } from '../support/servers.ts'
import { type PipelineServer, treeMb } from './server.ts'

const PIPELINES = 200
const RATE_PER_S = 20
const MEASURE_MS = 10_000
const CONNECTIONS = 4

/** So many pipelines at once: how long the API takes beside them, and how much memory all of it. */
export async function measureMany(
  server: PipelineServer
): Promise<{ p99Ms: number; memoryMb: number; recordsPerS: number }> {
  const { id: source } = await server.client.post('/catalog/sources', { name: 'many' })
  const ids: string[] = []
  for (let number = 0; number < PIPELINES; number++)
    ids.push(await server.start(`one of many ${number}`, nodes(source, number)))
  await untilAllRun(server)
  const before = await written(server, ids)
  const startedMs = performance.now()
  const load = {
    port: server.port,
    method: 'GET',
    token: server.token,
    connections: CONNECTIONS,
    durationMs: MEASURE_MS / 2
  }
  const one = await putLoad({ ...load, path: `/api/pipelines/${ids[0]}` })
  const list = await putLoad({ ...load, path: '/api/pipelines?limit=100' })
  const memoryMb = treeMb(server.pid)
  const recordsPerS = ((await written(server, ids)) - before) / ((performance.now() - startedMs) / 1000)
  for (const id of ids) await server.client.post(`/pipelines/${id}/stop`)
  return { p99Ms: Math.max(one.p99Ms, list.p99Ms), memoryMb, recordsPerS }
}

const nodes = (source: string, number: number) => [
  {
    id: 'gen',
    type: 'generate',
    config: { ratePerS: RATE_PER_S, fields: { n: 'n', time: "TIMESTAMP '2026-01-01' + to_milliseconds(n)" } },
    inputs: []
  },
  { id: 'some', type: 'filter', config: { where: 'n % 10 <> 3' }, inputs: ['gen'] },
  { id: 'point', type: 'map', config: { select: { time: 'time', value: 'n * 0.5' } }, inputs: ['some'] },
  {
    id: 'out',
    type: 'series',
    config: { source, time: 'time', tag: `'pipeline-${number}'`, value: 'value' },
    inputs: ['point']
  }
]

async function untilAllRun(server: PipelineServer): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const { total } = await server.client.get('/pipelines?status=running&limit=1')
    if (total >= PIPELINES) return
    await delay(200)
  }
  throw new Error('Not all of them run after two minutes')
}

async function written(server: PipelineServer, ids: readonly string[]): Promise<number> {
  const pipelines = await Promise.all(ids.map((id) => server.client.get(`/pipelines/${id}`)))
  return pipelines.reduce((sum, { run }) => sum + run.ledger.recordsWritten, 0)
}
