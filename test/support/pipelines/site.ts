import assert from 'node:assert/strict'
import { eventually } from '../eventually.ts'
import { createInstallation, type Env, type ServerProcess, startServer } from '../process.ts'
import { makeToken } from '../token.ts'
import { type Client, clientOf } from './client.ts'

export interface LogLine {
  readonly level: 'info' | 'warn' | 'error'
  readonly nodeId: string | null
  readonly message: string
}

/** A server in a process of its own, whose pipelines may call the loopback. */
export interface Site extends Desk {
  readonly server: ServerProcess
  readonly env: Env
  readonly token: string
  close(): Promise<void>
}

/** Operations on pipelines of one server. */
export interface Desk {
  readonly client: Client
  make(name: string, nodes: readonly object[]): Promise<string>
  /** Makes and starts a pipeline. */
  launch(name: string, nodes: readonly object[]): Promise<string>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  reach(id: string, status: string, limitMs?: number): Promise<any>
  stop(id: string, limitMs?: number): Promise<void>
  /** The log of a pipeline, the newest first. */
  logOf(id: string): Promise<LogLine[]>
}

/** `prepare` is called with the data folder while it is empty. */
export async function openSite(more: Env = {}, prepare = (_dataDir: string) => {}): Promise<Site> {
  const { database, env: own, drop } = await createInstallation()
  const env = { ...own, ALLOWED_HOSTS: '127.0.0.1', ...more }
  prepare(database.folder)
  const token = await tokenFor(env)
  const server = await startServer(env)
  return {
    server,
    env,
    token,
    ...deskAt(server.url, token),
    async close() {
      await server.stop('SIGKILL')
      await drop()
    }
  }
}

export function tokenFor(env: Env): Promise<string> {
  return makeToken(env, 'prover')
}

export function deskAt(url: string, token: string): Desk {
  const client = clientOf(url, token)
  const make = async (name: string, nodes: readonly object[]): Promise<string> =>
    (await client.post('/pipelines', { name, nodes })).id
  const reach = (id: string, status: string, limitMs?: number) =>
    eventually(async () => {
      const found = await client.get(`/pipelines/${id}`)
      assert.equal(found.status, status, JSON.stringify(found.error))
      return found
    }, limitMs)
  return {
    client,
    make,
    reach,
    async launch(name, nodes) {
      const id = await make(name, nodes)
      await client.post(`/pipelines/${id}/start`)
      return id
    },
    async stop(id, limitMs) {
      await client.post(`/pipelines/${id}/stop`)
      await reach(id, 'stopped', limitMs)
    },
    async logOf(id) {
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
      const response = await fetch(`${url}/api/pipelines/${id}/logs?limit=1000`, { headers })
      const body = (await response.json()) as Record<string, LogLine[]>
      return Object.values(body).find(Array.isArray) ?? []
    }
  }
}
