import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { median } from '../support/servers.ts'
import type { PipelineServer } from './server.ts'

export const DIRTY_ROWS = 2_000_000
const ROUNDS = 3
const SHARES = [0, 1, 10] as const

/** Milliseconds. */
export interface DirtFigures {
  readonly clean: number
  readonly onePercent: number
  readonly tenPercent: number
}

/** Rows of CSV with names of 40 characters, cast and written as points and as Parquet, with some that can't be cast. */
export async function measureDirt(server: PipelineServer): Promise<DirtFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  try {
    await server.client.post('/buckets', { name: 'dirt' })
    for (const share of SHARES) {
      const path = join(folder, `${share}.csv`)
      await makeInput(path, share)
      await server.upload(path, 'dirt', `in/${share}.csv`)
    }
    const times = new Map<number, number[]>(SHARES.map((share) => [share, []]))
    for (let round = 0; round < ROUNDS; round++) {
      for (const share of SHARES) times.get(share)?.push(await timeOf(server, share, round))
    }
    const [clean = 0, onePercent = 0, tenPercent = 0] = SHARES.map((share) => median(times.get(share) ?? []))
    return { clean, onePercent, tenPercent }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function timeOf(server: PipelineServer, share: number, round: number): Promise<number> {
  const { id: source } = await server.client.post('/catalog/sources', {
    name: `dirt ${share} ${round}`,
    kind: 'pipeline'
  })
  return server.timeToCompleted(`dirt ${share} ${round}`, nodes(share, source, `out-${share}-${round}/`))
}

async function makeInput(path: string, share: number): Promise<void> {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(
    `COPY (SELECT strftime(TIMESTAMP '2026-01-01' + to_milliseconds(r * 100), '%Y-%m-%dT%H:%M:%S.%gZ') AS time,
       'plant/hall-7/line-3/press-' || lpad((r % 1000)::VARCHAR, 6, '0') || '/celsius' AS tag,
       CASE WHEN hash(r) % 100 < ${share} THEN ['n/a', '61,5', '-'][1 + (hash(r + 1) % 3)::BIGINT] ELSE (20 + (hash(r) % 1000) / 10.0)::VARCHAR END AS celsius
       FROM range(${DIRTY_ROWS}) t(r)) TO '${path}' (FORMAT csv, HEADER true)`
  )
  connection.closeSync()
}

const nodes = (share: number, source: string, prefix: string) => [
  { id: 'in', type: 'file', config: { reference: `object://dirt/in/${share}.csv` }, inputs: [] },
  {
    id: 'typed',
    type: 'map',
    config: { select: { time: 'time::TIMESTAMP', tag: 'tag', celsius: 'celsius::DOUBLE' } },
    inputs: ['in']
  },
  { id: 'points', type: 'series', config: { source, time: 'time', tag: 'tag', value: 'celsius' }, inputs: ['typed'] },
  { id: 'objects', type: 'object', config: { bucket: 'dirt', prefix, format: 'parquet' }, inputs: ['typed'] }
]
