import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { median } from '../support/servers.ts'
import type { PipelineServer } from './server.ts'

const ROWS = 20_000_000
const ROUNDS = 5

const WHERE = 'NOT faulty AND pressure > 100'
const FAHRENHEIT = 'temperature * 1.8 + 32'

/** Parquet to Parquet through filter, map and windows, beside one statement of DuckDB that does the same. */
export async function measureParquet(server: PipelineServer): Promise<{ millraceMs: number; duckdbMs: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  try {
    const input = join(folder, 'in.parquet')
    await makeInput(input)
    await server.client.post('/buckets', { name: 'bench' })
    await server.upload(input, 'bench', 'in/readings.parquet')
    const millrace: number[] = []
    const duckdb: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      millrace.push(await server.timeToCompleted(`parquet ${round}`, nodes(`out-${round}/`)))
      duckdb.push(await oneStatement(input, join(folder, 'out.parquet')))
    }
    return { millraceMs: median(millrace), duckdbMs: median(duckdb) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function makeInput(path: string): Promise<void> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(
    `COPY (SELECT TIMESTAMP '2026-01-01' + to_milliseconds(r * 10) AS time, 'dev-' || (hash(r) % 50)::VARCHAR AS device,
       20 + sin(r / 1000.0) * 5 + (hash(r) % 100) / 100.0 AS temperature, (hash(r + 1) % 1000)::INTEGER AS pressure,
       hash(r) % 10 = 3 AS faulty FROM range(${ROWS}) t(r)) TO '${path}' (FORMAT parquet)`
  )
  connection.closeSync()
}

const nodes = (prefix: string) => [
  { id: 'in', type: 'file', config: { reference: 'object://bench/in/readings.parquet' }, inputs: [] },
  { id: 'good', type: 'filter', config: { where: WHERE }, inputs: ['in'] },
  {
    id: 'mapped',
    type: 'map',
    config: { select: { time: 'time', device: 'device', f: FAHRENHEIT, pressure: 'pressure' } },
    inputs: ['good']
  },
  {
    id: 'minutes',
    type: 'aggregate',
    config: {
      window: '1m',
      time: 'time',
      groupBy: ['device'],
      select: { f: 'avg(f)', pressure: 'max(pressure)', n: 'count(*)' }
    },
    inputs: ['mapped']
  },
  { id: 'out', type: 'object', config: { bucket: 'bench', prefix, format: 'parquet' }, inputs: ['minutes'] }
]

/** In a process of its own, as pipelines are; its start is not counted. */
async function oneStatement(input: string, output: string): Promise<number> {
  const statement = `COPY (SELECT device, time_bucket(INTERVAL 1 MINUTE, time) AS window_start, avg(${FAHRENHEIT}) AS f, max(pressure) AS pressure, count(*) AS n FROM read_parquet('${input}') WHERE ${WHERE} GROUP BY 1, 2 ORDER BY 2) TO '${output}' (FORMAT parquet, COMPRESSION zstd)`
  const script = `import { DuckDBInstance } from '@duckdb/node-api'
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    const started = performance.now()
    await connection.run(process.argv[1])
    console.log(performance.now() - started)`
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', script, statement], { encoding: 'utf8' }))
}
