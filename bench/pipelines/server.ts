import { createReadStream, readFileSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { type Client, clientOf } from '../../test/support/pipelines/client.ts'
import { type Running, startMillrace } from '../support/servers.ts'

export interface PipelineServer {
  readonly client: Client
  readonly port: number
  readonly pid: number
  readonly token: string
  /** Creates and starts a pipeline, and answers how long it took from start to completed. */
  timeToCompleted(name: string, nodes: readonly object[]): Promise<number>
  start(name: string, nodes: readonly object[]): Promise<string>
  /** Waits until a run has written so many records; answers when. */
  untilWritten(pipelineId: string, records: number, limitMs: number): Promise<number>
  /** Streamed: they are hundreds of megabytes. */
  upload(path: string, bucket: string, key: string): Promise<void>
  stop(): Promise<void>
}

const POLL_MS = 40

/** The product as `npm start` runs it, which may call this machine. */
export async function startPipelineServer(): Promise<PipelineServer> {
  const running: Running = await startMillrace({
    RATE_LIMIT: '0',
    WRITE_RATE_LIMIT: '0',
    ALLOW_PRIVATE_NETWORKS: 'true',
    LOG_LEVEL: 'warn'
  })
  const [, token = ''] = /(eyJ[\w.-]+)/.exec(running.output()) ?? []
  const client = clientOf(`http://127.0.0.1:${running.port}`, token)

  async function start(name: string, nodes: readonly object[]): Promise<string> {
    const { id } = await client.post('/pipelines', { name, description: '', nodes })
    await client.post(`/pipelines/${id}/start`)
    return id
  }
  async function poll<T>(limitMs: number, look: () => Promise<T | undefined>): Promise<T> {
    const end = performance.now() + limitMs
    for (;;) {
      const found = await look()
      if (found !== undefined) return found
      if (performance.now() > end) throw new Error(`Not there after ${limitMs} ms`)
      await delay(POLL_MS)
    }
  }
  return {
    client,
    token,
    port: running.port,
    pid: running.pid,
    start,
    async timeToCompleted(name, nodes) {
      const { id } = await client.post('/pipelines', { name, description: '', nodes })
      const startedMs = performance.now()
      await client.post(`/pipelines/${id}/start`)
      return poll(300_000, async () => {
        const { status, error } = await client.get(`/pipelines/${id}`)
        if (status === 'failed') throw new Error(JSON.stringify(error))
        return status === 'completed' ? performance.now() - startedMs : undefined
      })
    },
    untilWritten: (pipelineId, records, limitMs) =>
      poll(limitMs, async () => {
        const { run, status, error } = await client.get(`/pipelines/${pipelineId}`)
        if (status === 'failed') throw new Error(JSON.stringify(error))
        return run.ledger.recordsWritten >= records ? performance.now() : undefined
      }),
    async upload(path, bucket, key) {
      const address = `http://127.0.0.1:${running.port}/api/buckets/${bucket}/objects/${encodeURIComponent(key)}`
      const response = await fetch(address, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}`, 'content-length': String(statSync(path).size) },
        body: createReadStream(path) as never,
        duplex: 'half'
      } as RequestInit)
      if (!response.ok) throw new Error(await response.text())
    },
    stop: () => running.stop()
  }
}

/** All memory of a process and of those it started, in MB. */
export function treeMb(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .filter(Boolean)
    .map(Number)
  const [, kilobytes] = /Pss:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
  return Number(kilobytes) / 1024 + children.reduce((sum, child) => sum + treeMb(child), 0)
}
