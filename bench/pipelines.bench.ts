import { DIRTY_ROWS, measureDirt } from './pipelines/dirt.ts'
import { measureMany } from './pipelines/many.ts'
import { measureNodeRed, measureSame, missingNodeRed } from './pipelines/node-red.ts'
import { measureParquet } from './pipelines/parquet.ts'
import { type PipelineServer, startPipelineServer } from './pipelines/server.ts'
import { measureGenerate, measureMqtt, measureWebhook } from './pipelines/streams.ts'
import { judge, type Line } from './support/lines.ts'

/** Pipelines from start to completed, over the API as users run them, beside a peer or an absolute floor. */
export async function run(): Promise<boolean> {
  const server = await startPipelineServer()
  const lines: Line[] = []
  try {
    await server.client.post('/buckets', { name: 'warm-up' })
    await server.timeToCompleted('warm-up', WARM_UP)
    for (const [what, measure] of Object.entries(MEASURES)) lines.push(...(await orFailed(what, () => measure(server))))
  } finally {
    await server.stop()
  }
  return judge(lines)
}

/** In this order, in one server. */
const MEASURES: Readonly<Record<string, (server: PipelineServer) => Promise<Line[]>>> = {
  Parquet: async (server) => {
    const { millraceMs, duckdbMs } = await measureParquet(server)
    return [
      {
        what: 'Parquet, 20 M rows → filter, map, aggregate → Parquet',
        figure: `${Math.round(millraceMs)} ms`,
        beside: `one DuckDB statement ${Math.round(duckdbMs)} ms`,
        ratio: duckdbMs / millraceMs,
        floor: 0.6
      }
    ]
  },
  'CSV with bad rows': dirt,
  generate: async (server) => [
    { what: 'generate → filter → map → series', ...perS(await measureGenerate(server), 300_000) }
  ],
  webhook: async (server) => {
    const { p99Ms, recordsPerS } = await measureWebhook(server)
    const what = `webhook → map → object (p99 of requests ${Math.round(p99Ms)} ms)`
    return [{ what, ...perS(recordsPerS, 20_000) }]
  },
  MQTT: async (server) => [{ what: 'MQTT → series', ...perS((await measureMqtt(server)).perS, 30_000) }],
  '200 pipelines at once': many,
  'Node-RED': async (server) => {
    const missing = missingNodeRed()
    if (missing !== undefined) {
      console.log(`Node-RED is left out: ${missing}`)
      return []
    }
    const [ours, red] = [await measureSame(server), await measureNodeRed()]
    return [
      {
        what: 'function → filter → file',
        figure: `${Math.round(ours)}/s`,
        beside: `Node-RED ${Math.round(red)}/s`,
        ratio: ours / red,
        floor: 20
      }
    ]
  }
}

/** What can't be measured is a line that is not met, and hides no other. */
async function orFailed(what: string, measure: () => Promise<Line[]>): Promise<Line[]> {
  try {
    return await measure()
  } catch (error) {
    console.error(error)
    return [{ what, figure: 'failed', beside: String(error).slice(0, 60), ratio: 0, floor: 1 }]
  }
}

/** Bad rows are held against the time of none. */
async function dirt(server: PipelineServer): Promise<Line[]> {
  const { clean, onePercent, tenPercent } = await measureDirt(server)
  const what = 'CSV, 2 M rows → cast → series and Parquet'
  const beside = (ms: number, limit: number) => ({
    figure: `${Math.round(ms)} ms`,
    beside: `${limit} × ${Math.round(clean)} ms`,
    ratio: (limit * clean) / ms,
    floor: 1
  })
  return [
    { what, ...perS((DIRTY_ROWS / clean) * 1000, 250_000) },
    { what: `${what}, 1 % bad`, ...beside(onePercent, 1.5) },
    { what: `${what}, 10 % bad`, ...beside(tenPercent, 3) }
  ]
}

/** Here less is better, so that the ratio is that of the limit to the figure. */
async function many(): Promise<Line[]> {
  // A server of its own: what others have left in its memory is none of theirs.
  const server = await startPipelineServer()
  const { p99Ms, memoryMb, recordsPerS } = await measureMany(server).finally(() => server.stop())
  const what = `200 pipelines at once (${Math.round(recordsPerS)} records/s)`
  return [
    { what: `${what}: API p99`, figure: `${p99Ms.toFixed(1)} ms`, beside: '100 ms', ratio: 100 / p99Ms, floor: 1 },
    {
      what: `${what}: memory`,
      figure: `${Math.round(memoryMb)} MB`,
      beside: '1500 MB',
      ratio: 1500 / memoryMb,
      floor: 1
    }
  ]
}

const perS = (figure: number, floor: number) => ({
  figure: `${Math.round(figure)} records/s`,
  beside: `${floor} records/s`,
  ratio: figure / floor,
  floor: 1
})

const WARM_UP = [
  { id: 'gen', type: 'generate', config: { count: 1000, fields: { n: 'n' } }, inputs: [] },
  { id: 'out', type: 'object', config: { bucket: 'warm-up', prefix: '', format: 'parquet' }, inputs: ['gen'] }
]
