import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../src/areas.ts'
import { metadataFile } from '../../src/data-paths.ts'
import { type Metadata, openMetadata } from '../../src/engines/metadata/index.ts'
import { processorMs, startMillrace } from '../support/servers.ts'
import { clearMemory, openClient } from './client.ts'
import type { Drawn } from './draw.ts'
import type { LargeGraph } from './large-graph.ts'

/** The product as `npm start` runs it, on a database with the large graph. */
export interface Site {
  readonly graph: LargeGraph
  readonly port: number
  readonly token: string
  /** Milliseconds of the processor that the product has used so far. */
  usedMs(): number
  /** The same database, for what is put beside the product. */
  readonly metadata: Metadata
  /** The milliseconds until the answer was there, and the answer. */
  // biome-ignore lint/suspicious/noExplicitAny: answers
  ask(path: string): Promise<{ ms: number; answer: any }>
  close(): Promise<void>
}

export async function openSite(databaseUrl: string | undefined): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bench-'))
  const database = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  const settings = { DATA_DIR: folder, RATE_LIMIT: '0', LOG_LEVEL: 'warn', ...database }
  const drawing = fork(join(import.meta.dirname, 'draw.ts'), { env: { ...process.env, ...settings, PORT: '0' } })
  const [{ graph, token }] = (await once(drawing, 'message')) as [Drawn]
  await once(drawing, 'exit')
  const server = await startMillrace(settings)
  const metadata = await openMetadata({ databaseUrl, file: metadataFile(readConfig(settings)) })
  const client = openClient(server.port, token)
  return {
    graph,
    port: server.port,
    token,
    metadata,
    usedMs: () => processorMs(server.pid),
    async ask(path) {
      clearMemory()
      const startedMs = performance.now()
      const { status, text } = await client.get(`/api/lineage/${path}`)
      const ms = performance.now() - startedMs
      if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
      return { ms, answer: JSON.parse(text) }
    },
    async close() {
      client.close()
      await metadata.close()
      await server.stop()
      rmSync(folder, { recursive: true })
    }
  }
}
