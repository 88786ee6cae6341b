import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type App, buildApp } from '../../src/app.ts'
import { readConfig } from '../../src/areas.ts'
import { openPlatform, type Platform } from '../../src/platform.ts'

/** A platform in this process, on an empty database. */
export interface Site {
  readonly platform: Platform
  readonly app: App
  readonly port: number
  readonly token: string
  /** The milliseconds until the answer was there, and the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: answers
  ask(path: string): Promise<{ ms: number; answer: any }>
  close(): Promise<void>
}

export async function openSite(databaseUrl: string | undefined): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const database = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  const settings = { DATA_DIR: folder, PORT: '0', RATE_LIMIT: '0', LOG_LEVEL: 'warn', ...database }
  const platform = await openPlatform(readConfig(settings))
  const app = buildApp(platform)
  await app.start()
  await app.service('lineage')
  const origin = await app.http.listen({ host: '127.0.0.1', port: 0 })
  const token = await platform.issuer?.issue({ subject: 'bench', name: 'bench', roles: ['editor'], ttlMs: 3600_000 })
  return {
    platform,
    app,
    port: Number(new URL(origin).port),
    token: token as string,
    async ask(path) {
      const fetchIt = () => fetch(`${origin}/api/lineage/${path}`, { headers: { authorization: `Bearer ${token}` } })
      let startedMs = performance.now()
      let response = await fetchIt()
      // Drawing the graph has kept this process busy, which refuses others until it has caught up.
      while (response.status === 503) {
        await response.text()
        await new Promise((resolve) => setTimeout(resolve, 1000))
        startedMs = performance.now()
        response = await fetchIt()
      }
      const text = await response.text()
      const ms = performance.now() - startedMs
      if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`)
      return { ms, answer: JSON.parse(text) }
    },
    async close() {
      app.http.server.closeAllConnections()
      await app.stop()
      await platform.close()
      rmSync(folder, { recursive: true })
    }
  }
}
