import { mkdtempSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DuckDBInstance } from '@duckdb/node-api'
import { toDataValue } from '../../../data/sql-process/row-values.ts'
import { systemClock } from '../../../engines/clock.ts'
import { createIds } from '../../../engines/ids.ts'
import { createUploadBody, type ObjectStore, type OpenedStore, openStore } from '../../../engines/objects/index.ts'
import { createOutbound, type Outbound } from '../../../engines/outbound/index.ts'
import { openSeries, type Series } from '../../../engines/series/index.ts'
import type { Gateway } from '../contract/gateway.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import { openDatabase } from '../duckdb/database.ts'
import { HostedRun } from '../host/hosted-run.ts'
import type { Checkpoint, Commit, DeadLetter } from '../protocol/checkpoint.ts'
import { imbalance, type Ledger, type NodeFigures } from '../protocol/ledger.ts'
import type { RunLineage } from '../protocol/run-lineage.ts'
import type { LogLine, RunEnd, RunSpec } from '../protocol/run-spec.ts'
import { recordsSource } from '../records/source.ts'
import type { JsonRecord } from '../records/table.ts'
import { createGateway } from '../supervisor/gateway.ts'
import { keepInFolder } from '../supervisor/kept-files.ts'
import { watchStatements } from './one-at-a-time.ts'

/** A node as tests write it. */
export type NodeText = Pick<PipelineNode, 'id' | 'type' | 'config'> & { inputs?: readonly string[] }

export interface Ran {
  readonly end: RunEnd
  readonly ledger: Ledger
  /** 0 where the books balance. */
  readonly imbalance: number
  readonly nodes: Readonly<Record<string, NodeFigures>>
  readonly deadLetters: readonly DeadLetter[]
  readonly log: readonly LogLine[]
  readonly checkpoint: Checkpoint | null
  readonly commits: number
  /** What was told of columns, one after the other. */
  readonly lineage: readonly RunLineage[]
}

export interface RunOptions {
  readonly checkpoint?: Checkpoint | null
  readonly runNumber?: number
  readonly pipelineId?: string
  readonly counted?: RunSpec['counted']
  /** Called with the run before it begins, to stop or feed it. */
  with?(run: HostedRun): void
  /** Called with each commit once it is made; what it throws fails the commit. */
  onCommit?(commit: Commit, run: HostedRun): Promise<void> | void
  /** A checkpoint after every batch, rather than once a second. */
  readonly eager?: true
  /** Records that stand in for sources, by node, batch by batch. */
  readonly batches?: Readonly<Record<string, readonly (readonly JsonRecord[])[]>>
  /** In place of methods of the real one. */
  readonly gateway?: Partial<Gateway>
  /** In place of one that may call any address. */
  readonly outbound?: Outbound
}

/** Runs pipelines in this process, over a real store with bucket `b` and a real engine for series, without a server. */
export interface Workshop {
  readonly folder: string
  readonly instance: DuckDBInstance
  readonly gateway: Gateway
  run(nodes: readonly NodeText[], options?: RunOptions): Promise<Ran>
  store(): Promise<ObjectStore>
  series(): Promise<Series>
  put(key: string, content: string | Buffer, contentType?: string): Promise<void>
  read(key: string): Promise<Buffer>
  /** The keys in bucket `b` that begin so. */
  keys(prefix?: string): Promise<string[]>
  /** The rows of a SELECT, over all objects of bucket `b` that match a prefix as the table `objects` where one is given. */
  rows(sql: string, prefix?: string): Promise<Record<string, unknown>[]>
  /** The points of a source, by tag and time. */
  points(sourceId: string): Promise<{ tag: string; time: string; value: unknown }[]>
  close(): Promise<void>
}

export async function openWorkshop(): Promise<Workshop> {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-workshop-'))
  const instance = await openDatabase({ folder, memoryBytes: 1 << 30, threads: 2, spillBytes: 1 << 30 })
  const assertOneAtATime = watchStatements(instance)
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  let opened: Promise<OpenedStore> | undefined
  let series: Promise<Series> | undefined
  const openedStore = () => {
    opened ??= openStore(
      { kind: 'disk', folder: join(folder, 'objects') },
      { outbound: async () => outbound, now: Date.now }
    ).then(async (one) => {
      await one.store.createBucket('b')
      return one
    })
    return opened
  }
  const openedSeries = () => {
    series ??= openSeries({ url: undefined, folder: join(folder, 'series'), onFailure: () => {} })
    return series
  }
  const gateway = createGateway({
    makeId: createIds(systemClock),
    keptFiles: keepInFolder(join(folder, 'kept')),
    now: Date.now,
    series: openedSeries,
    openBucket: async () => ({ store: (await openedStore()).store, backend: 'b' }),
    sourceExists: async () => true,
    secretsWith: () => Promise.reject(new Error('There are no connectors in a workshop'))
  })
  let runs = 0

  async function run(texts: readonly NodeText[], options: RunOptions = {}): Promise<Ran> {
    runs += 1
    const nodes = texts.map((node): PipelineNode => ({ ...node, inputs: node.inputs ?? [] }))
    const { checkpoint = null, runNumber = 1, counted = null, pipelineId = 'pl_test' } = options
    const spec: RunSpec = { pipelineId, runId: `run_${runs}`, runNumber, nodes, checkpoint, counted }
    const deadLetters: DeadLetter[] = []
    const log: LogLine[] = []
    let last = checkpoint
    const lineage: RunLineage[] = []
    let commits = 0
    let aheadMs = 0
    const run: HostedRun = new HostedRun(spec, {
      instance,
      folder: join(folder, `run-${runs}`),
      schema: `p${runs}`,
      outbound: async () => options.outbound ?? outbound,
      now: () => Date.now() + aheadMs,
      elapsed: () => {
        if (options.eager) aheadMs += 1000
        return performance.now() + aheadMs
      },
      onOpen: () => {},
      standIn: (node) => {
        const batches = options.batches?.[node.id]
        return batches && recordsSource(batches)
      },
      gateway: { ...gateway, ...options.gateway },
      reports: {
        async commit(commit) {
          await options.onCommit?.(structuredClone(commit), run)
          last = structuredClone(commit.checkpoint)
          deadLetters.push(...commit.deadLetters)
          commits += 1
          if (commit.lineage !== undefined) lineage.push(structuredClone(commit.lineage))
        },
        log: (line) => void log.push(line)
      }
    })
    options.with?.(run)
    const end = await run.run()
    const { ledger, nodes: figures } = run.books
    const told = { nodes: figures, deadLetters, log, checkpoint: last, commits, lineage }
    return { end, ledger, imbalance: imbalance(ledger), ...told }
  }

  const keys = async (prefix = '') => {
    const { store } = await openedStore()
    const { entries } = await store.list('b', { prefix, folders: false, limit: 1000 })
    return entries.flatMap((entry) => ('key' in entry ? [entry.key] : []))
  }

  return {
    folder,
    instance,
    gateway,
    run,
    store: async () => (await openedStore()).store,
    series: openedSeries,
    keys,
    async read(key) {
      const { store } = await openedStore()
      const path = join(folder, `read-${Math.random()}`)
      await gateway.fetchObject({ bucket: 'b', key, etag: (await store.head('b', key)).etag }, path)
      return readFile(path)
    },
    async put(key, content, contentType = 'application/octet-stream') {
      const { store } = await openedStore()
      const bytes = Buffer.from(content)
      const body = createUploadBody(
        (async function* () {
          yield bytes
        })()
      )
      await store.put('b', key, body, { contentType })
    },
    async rows(sql, prefix) {
      const { store } = await openedStore()
      const connection = await instance.connect()
      const files: string[] = []
      for (const key of prefix === undefined ? [] : await keys(prefix)) {
        const { etag } = await store.head('b', key)
        const path = join(folder, `read-${runs}-${files.length}-${Math.random()}.${key.split('.').at(-1)}`)
        await gateway.fetchObject({ bucket: 'b', key, etag }, path)
        files.push(path)
      }
      const [reader] = files.map((file) => readers[file.split('.').at(-1) as keyof typeof readers])
      const list = files.map((file) => `'${file}'`).join(', ')
      const table =
        files.length === 0 ? '' : `WITH objects AS (SELECT * FROM ${reader}([${list}], union_by_name = true)) `
      const answer = await connection.runAndReadAll(table + sql)
      connection.closeSync()
      return answer.getRowObjects().map((row) => {
        return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, toDataValue(value)]))
      })
    },
    async points(sourceId) {
      const connection = await instance.connect()
      const place = mkdtempSync(join(folder, 'points-'))
      const files = await gateway.exportSeries(sourceId, undefined, place)
      if (files.length === 0) return []
      const list = files.map((file) => `'${file}'`).join(', ')
      const reader = await connection.runAndReadAll(
        `SELECT tag, time, coalesce(value::VARCHAR, text) AS value FROM (SELECT NULL::VARCHAR AS text WHERE false UNION ALL BY NAME SELECT * FROM read_parquet([${list}], union_by_name = true)) ORDER BY tag, time`
      )
      connection.closeSync()
      return reader.getRowObjects().map((row) => ({
        tag: String(row.tag),
        time: String(toDataValue(row.time as never)),
        value: toDataValue(row.value as never)
      }))
    },
    async close() {
      await (await series)?.close()
      await (await opened)?.close()
      await outbound.close()
      instance.closeSync()
      await rm(folder, { recursive: true, force: true })
      assertOneAtATime()
    }
  }
}

const readers = { parquet: 'read_parquet', csv: 'read_csv', ndjson: 'read_json' } as const
