import assert from 'node:assert/strict'
import type { Client } from './client.ts'

/** A pipeline that was started, and a check that it did exactly what it had to. */
export interface Proof {
  readonly pipelineId: string
  /** To be called once the pipeline has completed. */
  check(client: Client, ledger: Readonly<Record<string, number>>): Promise<void>
  /** Starts another pipeline like this one. */
  another(client: Client): Promise<Proof>
}

const RECORDS = 60_000
const TAGS = 5
const STARTS_MS = Date.UTC(2026, 0, 1)

/** Records are generated, filtered and mapped, at a rate that leaves time for crashes. */
export async function generateToSeries(client: Client, number: number): Promise<Proof> {
  const { id: source } = await client.post('/catalog/sources', { name: `crash-${number}` })
  const nodes = [
    {
      id: 'gen',
      type: 'generate',
      config: {
        count: RECORDS,
        ratePerS: 25_000,
        fields: { n: 'n', time: "TIMESTAMP '2026-01-01' + to_milliseconds(n)" }
      },
      inputs: []
    },
    { id: 'some', type: 'filter', config: { where: 'n % 3 <> 0' }, inputs: ['gen'] },
    {
      id: 'point',
      type: 'map',
      config: { select: { time: 'time', tag: `'t' || (n % ${TAGS})`, value: 'n * 2' } },
      inputs: ['some']
    },
    { id: 'out', type: 'series', config: { source, time: 'time', tag: 'tag', value: 'value' }, inputs: ['point'] }
  ]
  const pipelineId = await startPipeline(client, `generate ${number}`, nodes)
  return {
    pipelineId,
    another: (next) => generateToSeries(next, number + 1),
    async check(reader, ledger) {
      assert.equal(ledger.recordsRead, RECORDS)
      assert.equal(ledger.recordsWritten, (RECORDS / 3) * 2)
      assert.equal(ledger.recordsFiltered, RECORDS / 3)
      const { series } = await reader.post('/catalog/query', {
        sourceId: source,
        startTime: '2025-12-31',
        endTime: '2027-01-01'
      })
      const found: number[] = []
      for (const { tag, points } of series) {
        for (const { time, value } of points) {
          const n = Date.parse(time) - STARTS_MS
          assert.deepEqual([tag, value], [`t${n % TAGS}`, n * 2])
          found.push(n)
        }
      }
      found.sort((a, b) => a - b)
      assert.deepEqual(
        found,
        Array.from({ length: RECORDS }, (_, n) => n).filter((n) => n % 3 !== 0)
      )
    }
  }
}

const FILES = 25
const ROWS = 2000

/** Many files, whose records fall into windows that span files. */
export async function fileToObjects(client: Client, number: number): Promise<Proof> {
  if (number === 0) await uploadFiles(client)
  const prefix = `out-${number}/`
  const nodes = [
    { id: 'in', type: 'file', config: { reference: 'object://crash-files/in/*.csv' }, inputs: [] },
    {
      id: 'minutes',
      type: 'aggregate',
      config: { window: '1m', time: 'time', groupBy: ['device'], select: { n: 'count(*)', total: 'sum(value)' } },
      inputs: ['in']
    },
    {
      id: 'out',
      type: 'object',
      config: { bucket: 'crash-files', prefix, format: 'ndjson', rollRows: 50 },
      inputs: ['minutes']
    }
  ]
  const pipelineId = await startPipeline(client, `files ${number}`, nodes)
  return {
    pipelineId,
    another: (next) => fileToObjects(next, number + 1),
    async check(reader, ledger) {
      assert.equal(ledger.recordsRead, FILES * ROWS)
      assert.equal(ledger.recordsMerged, FILES * ROWS)
      const found = new Map<string, unknown>()
      const { objects } = await reader.get(`/buckets/crash-files/objects?prefix=${prefix}&limit=1000`)
      for (const { name } of objects) {
        const lines = (await reader.text(`/buckets/crash-files/objects/${encodeURIComponent(name)}`)).trim().split('\n')
        for (const { device, window_start: start, n, total } of lines.map((line) => JSON.parse(line))) {
          const key = `${start} ${device}`
          assert.ok(!found.has(key), `a window is there twice: ${key}`)
          found.set(key, { n, total })
        }
      }
      assert.equal(ledger.recordsWritten, found.size)
      assert.deepEqual(found, expectedWindows())
    }
  }
}

const reading = (row: number) => ({ ms: STARTS_MS + row * 500, device: `d${row % 3}`, value: row % 17 })

async function uploadFiles(client: Client): Promise<void> {
  await client.post('/buckets', { name: 'crash-files' })
  for (let file = 0; file < FILES; file++) {
    const lines = Array.from({ length: ROWS }, (_, i) => {
      const { ms, device, value } = reading(file * ROWS + i)
      return `${new Date(ms).toISOString().slice(0, -1)},${device},${value}`
    })
    const key = encodeURIComponent(`in/${String(file).padStart(3, '0')}.csv`)
    await client.put(`/buckets/crash-files/objects/${key}`, `time,device,value\n${lines.join('\n')}\n`, 'text/csv')
  }
}

function expectedWindows(): Map<string, unknown> {
  const windows = new Map<string, { n: number; total: number }>()
  for (let row = 0; row < FILES * ROWS; row++) {
    const { ms, device, value } = reading(row)
    const start = new Date(Math.floor(ms / 60_000) * 60_000).toISOString().replace('.000Z', 'Z')
    const key = `${start} ${device}`
    const { n, total } = windows.get(key) ?? { n: 0, total: 0 }
    windows.set(key, { n: n + 1, total: total + value })
  }
  return windows
}

async function startPipeline(client: Client, name: string, nodes: readonly object[]): Promise<string> {
  const { id } = await client.post('/pipelines', { name, description: '', nodes })
  await client.post(`/pipelines/${id}/start`)
  return id
}
