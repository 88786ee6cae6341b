import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { median } from '../support/servers.ts'
import type { PipelineServer } from './server.ts'

export const DIRTY_ROWS = 2_000_000
const ROUNDS = 1
const SHARES = [0, 1, 10] as const

/** Milliseconds by how many of a hundred rows are bad. */
export type DirtFigures = Readonly<Record<(typeof SHARES)[number], number>>

/** Rows of CSV with names of 40 characters, cast and written as points and as Parquet, with some that can't be cast. */
export async function measureDirt(server: PipelineServer): Promise<DirtFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  try {
    await server.client.post('/buckets', { name: 'dirt' })
    for (const share of SHARES) {
      const path = join(folder, `${share}.csv`)
      await makeInput(path, share)
      await upload(server, path, `in/${share}.csv`)
    }
    const times: Record<number, number[]> = { 0: [], 1: [], 10: [] }
    for (let round = 0; round < ROUNDS; round++) {
      for (const share of SHARES) times[share]?.push(await timeOf(server, share, round))
    }
    return { 0: median(times[0] ?? []), 1: median(times[1] ?? []), 10: median(times[10] ?? []) }
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

async function upload({ port, token }: PipelineServer, path: string, key: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/buckets/dirt/objects/${encodeURIComponent(key)}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-length': String(statSync(path).size) },
    body: createReadStream(path) as never,
    duplex: 'half'
  } as RequestInit)
  if (!response.ok) throw new Error(await response.text())
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
