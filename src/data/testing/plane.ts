import { mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDiskStore } from '../../engines/objects/disk/store.ts'
import { createUploadBody, type ObjectStore } from '../../engines/objects/index.ts'
import type { ExportedSeries } from '../../engines/series/index.ts'
import type { PlaneLimits } from '../limits.ts'
import { ObjectResolver } from '../object-resolver.ts'
import { DataPlane } from '../plane.ts'
import { SeriesResolver } from '../series-resolver.ts'
import type { DataRow, SqlParameters } from '../sql-process/messages.ts'

/** A query that runs until it is ended. */
export const ENDLESS = 'SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range + b.range = -1'

/** A plane over a real store with one bucket, `b`, and over sources whose files a test names. */
export interface TestPlane {
  readonly plane: DataPlane
  readonly store: ObjectStore
  /** The folder of everything here; the plane's own folder is `scratch` in it. */
  readonly folder: string
  /** The files that `export` answers for each source; `released` counts those given back. */
  readonly sources: Map<string, readonly string[]>
  readonly released: string[]
  put(key: string, content: string | Buffer, contentType?: string): Promise<void>
  /** All rows of a query. */
  rows(sql: string, relations?: Record<string, string>, parameters?: SqlParameters): Promise<DataRow[]>
  scratchFiles(): string[]
  close(): Promise<void>
}

export async function openTestPlane(limits: Partial<PlaneLimits> = {}): Promise<TestPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-data-'))
  const { store, close } = await openDiskStore(join(folder, 'objects'), Date.now)
  await store.createBucket('b')
  const sources = new Map<string, readonly string[]>()
  const released: string[] = []
  const exportSource = async (sourceId: string): Promise<ExportedSeries> => ({
    files: sources.get(sourceId) ?? [],
    folders: [],
    release: async () => void released.push(sourceId)
  })
  const scratch = join(folder, 'scratch')
  const resolvers = [
    new ObjectResolver(async (name) => (name === 'b' ? { store, backend: 'b' } : undefined)),
    new SeriesResolver({ export: exportSource }, async (sourceId) => sources.has(sourceId))
  ]
  const plane = new DataPlane({ resolvers, folder: scratch, limits })
  return {
    plane,
    store,
    folder,
    sources,
    released,
    async put(key, content, contentType = 'application/octet-stream') {
      const chunks = [typeof content === 'string' ? Buffer.from(content) : content]
      await store.put('b', key, createUploadBody(asAsync(chunks)), { contentType })
    },
    rows: async (sql, relations = {}, parameters = []) => (await plane.query({ sql, relations, parameters })).rows(),
    scratchFiles: () => readdirSync(scratch, { recursive: true }) as string[],
    async close() {
      await plane.close()
      await close()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

async function* asAsync(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}
