import assert from 'node:assert/strict'
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createInstallation, type ServerProcess, startServer } from '../process.ts'
import { type Client, clientOf } from './client.ts'
import { tokenFor } from './site.ts'

export interface Letter {
  readonly id: string
  readonly nodeId: string
  readonly code: string
  readonly origin: { readonly object: string; readonly line: number }
  readonly record: string | Readonly<Record<string, unknown>>
  readonly replayedAt: string | null
}

/** `then` is called once when so much has passed: a share of an upload, or bytes of a download. */
interface Moment {
  readonly at: number
  call(): unknown
}

/** A server that tests kill and start again on the same data. */
export interface MortalSite {
  readonly client: Client
  readonly dataDir: string
  /** The process id of the server. */
  readonly pid: number
  kill(): Promise<void>
  revive(): Promise<void>
  upload(path: string, from: string, moment?: Moment): Promise<void>
  /** All dead letters, as text. */
  export(pipelineId: string, type: string, moment?: Moment): Promise<string>
  /** All dead letters. */
  letters(pipelineId: string): Promise<Letter[]>
  /** Answers how many dead letters were deleted. */
  discard(pipelineId: string, query: string): Promise<number>
  /** Count and sum of the points of a source, by tag. */
  sums(source: string): Promise<Map<string, { count: number; sum: number }>>
  /** Downloads objects into a folder. */
  download(bucket: string, prefix: string, folder: string): Promise<string[]>
  close(): Promise<void>
}

export async function openMortalSite(): Promise<MortalSite> {
  const { database, env, drop } = await createInstallation()
  const token = await tokenFor(env)
  let server: ServerProcess = await startServer(env)
  const headers = { authorization: `Bearer ${token}` }
  const client = (): Client => clientOf(server.url, token)
  const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(`${server.url}/api${path}`, { ...init, headers: { ...headers, ...init.headers } })
    assert.ok(response.ok, `${path}: ${response.status}`)
    return response
  }
  const exported = async (pipelineId: string, accept: string, moment?: Moment): Promise<string> => {
    const { body } = await call(`/pipelines/${pipelineId}/dead-letters`, { headers: { accept } })
    const parts: Buffer[] = []
    for await (const part of watched(Readable.fromWeb(body as never), moment)) parts.push(part)
    return Buffer.concat(parts).toString()
  }
  return {
    get client() {
      return client()
    },
    dataDir: database.folder,
    get pid() {
      return server.pid
    },
    kill: async () => void (await server.stop('SIGKILL')),
    async revive() {
      server = await startServer(env)
    },
    async upload(path, from, moment) {
      const { size } = statSync(from)
      const at = moment && { ...moment, at: moment.at * size }
      const body = Readable.from(watched(createReadStream(from), at)) as never
      await call(path, { method: 'PUT', body, duplex: 'half', headers: { 'content-length': `${size}` } } as RequestInit)
    },
    export: exported,
    letters: async (pipelineId) =>
      (await exported(pipelineId, 'application/x-ndjson'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    discard: async (pipelineId, query) => {
      const answer = await call(`/pipelines/${pipelineId}/dead-letters?${query}`, { method: 'DELETE' })
      return ((await answer.json()) as { deleted: number }).deleted
    },
    sums: (source) => sumsOf(client(), source),
    async download(bucket, prefix, folder) {
      const { objects } = await client().get(`/buckets/${bucket}/objects?prefix=${prefix}&limit=1000`)
      return Promise.all(
        objects.map(async ({ name }: { name: string }, i: number) => {
          const to = join(folder, `${i}-of-${bucket}`)
          const { body } = await call(`/buckets/${bucket}/objects/${encodeURIComponent(name)}`)
          await pipeline(Readable.fromWeb(body as never), createWriteStream(to) as Writable)
          return to
        })
      )
    },
    async close() {
      await server.stop('SIGKILL')
      await drop()
    }
  }
}

async function* watched(stream: AsyncIterable<Buffer>, moment: Moment | undefined): AsyncGenerator<Buffer> {
  let passed = 0
  for await (const chunk of stream) {
    if (moment !== undefined && passed < moment.at && passed + chunk.length >= moment.at) await moment.call()
    passed += chunk.length
    yield chunk
  }
}

async function sumsOf(client: Client, sourceId: string): Promise<Map<string, { count: number; sum: number }>> {
  const { series } = await client.post('/catalog/query', {
    sourceId,
    startTime: '2026-01-01',
    endTime: '2026-01-31',
    aggregation: '30d',
    function: ['count', 'sum']
  })
  const sums = new Map<string, { count: number; sum: number }>()
  for (const { tag, points } of series) {
    const total = { count: 0, sum: 0 }
    for (const { count, sum } of points) {
      total.count += count
      total.sum += sum
    }
    sums.set(tag, total)
  }
  return sums
}
