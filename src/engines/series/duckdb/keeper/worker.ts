import { mkdirSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads'
import { keepCompiledCode } from '../../../compiled-code.ts'
import type { ScrubStep } from '../../../scrub-state.ts'
import { requireWritable } from '../../../unwritable.ts'
import { SeriesError } from '../../errors.ts'
import type { SourceStats, TagList, TagPage, WriteRequest, Written } from '../../index.ts'
import type { Query } from '../../query/plan.ts'
import { callThread, serveCalls, type ThreadCaller } from '../../thread-calls.ts'
import { indexFault, indexLost, lostIndex } from '../index-loss.ts'
import { layoutOf, makeFolders } from '../layout.ts'
import type { KeeperMessage, ReleaseMessage } from '../reader/messages.ts'
import type { SealerCalls } from '../sealer/tasks.ts'
import type { Sizes } from '../settings.ts'
import { Damage } from './damage.ts'
import { asSeriesError } from './failures.ts'
import { Keeper } from './keeper.ts'
import { restore } from './restore.ts'
import { Sealing } from './sealing.ts'
import { snapshotSource, takeSnapshot } from './snapshots.ts'
import { splitNs } from './tag-table.ts'

export interface KeeperData {
  readonly folder: string
  readonly sizes: Sizes
  readonly reader: MessagePort
}

/** Calls from the engine to its keeper. */
export interface KeeperCalls {
  write(request: WriteRequest): Promise<Written>
  judge(request: WriteRequest): Promise<Written>
  /** Passes the query to the reader, with a snapshot. */
  query(asked: { readonly id: number; readonly query: Query }): void
  tags(asked: { readonly sourceId: string; readonly page: TagPage }): TagList
  stats(sourceIds: readonly string[]): Map<string, SourceStats>
  drop(sourceId: string): Promise<void>
  dropTag(asked: { readonly sourceId: string; readonly tag: string }): Promise<boolean>
  retain(asked: { readonly sourceId: string; readonly fromNs: bigint }): Promise<void>
  export(asked: { readonly sourceId: string; readonly tags: readonly string[] | undefined }): Promise<Exported>
  release(exported: Exported): void
  /** Puts all points in memory into files, and merges files. */
  seal(): Promise<void>
  /** Throws where writes are not possible now, or soon will not be. */
  check(): void
  scrub(asked: { readonly maxBytes: number; readonly nowMs: number }): Promise<ScrubStep>
  close(): Promise<void>
}

export interface Exported {
  /** The folder with files made for this export alone. */
  readonly folder: string
  readonly paths: readonly string[]
  readonly held: readonly string[]
}

/** The first message to the opener of the engine. */
export interface OpeningMessage {
  readonly ready?: true
  /** Why the engine can't be opened. */
  readonly refusal?: Pick<SeriesError, 'code' | 'message' | 'facts'>
  readonly failure?: string
  readonly damage?: string
}

const MAINTENANCE_MS = 1000

const { folder, sizes, reader } = workerData as KeeperData
const port = parentPort as MessagePort
const layout = layoutOf(folder)
rmSync(layout.temporary, { recursive: true, force: true })
makeFolders(layout)

let sealerThread: { worker: Worker; calls: ThreadCaller<SealerCalls> } | undefined
let exports = 0

/** Started when it is first needed, because it loads DuckDB, which takes time and memory. */
function sealer(): ThreadCaller<SealerCalls> {
  if (sealerThread === undefined) {
    const worker = new Worker(new URL('../sealer/worker.ts', import.meta.url), { workerData: { folder } })
    const calls = callThread<SealerCalls>(worker)
    let why: unknown = new Error('the thread that seals points has ended')
    worker.once('error', (error) => {
      why = error
      report(error)
    })
    worker.once('exit', () => {
      calls.end(asSeriesError(why))
      sealerThread = undefined
    })
    sealerThread = { worker, calls }
  }
  return sealerThread.calls
}

const tell = (message: KeeperMessage) => reader.postMessage(message)
const report = (error: unknown) => port.postMessage({ failure: String((error as Error).stack ?? error) })

const keeper = new Keeper({
  layout,
  sizes,
  onSlab: (generation, slab) => tell({ kind: 'slab', generation, slab }),
  onFree: (paths) => {
    tell({ kind: 'gone', paths })
    sealer().call('unlink', paths).catch(report)
  }
})
const tellDamage = (text: string) => port.postMessage({ damage: text })
const damage = new Damage({ layout, sealer, tell: tellDamage })
const sealing = new Sealing({
  keeper,
  damage,
  sealer,
  onSealed: (generation) => tell({ kind: 'sealed', generation }),
  onFailure: report
})

reader.on('message', ({ paths, generations, damaged }: ReleaseMessage) => {
  if (damaged !== undefined) damage.found(damaged, "it can't be read").catch(report)
  keeper.files.release(paths)
  keeper.held.release(generations)
})
const { dropped, retired, unsummed } = await restore(keeper, layout, tellDamage).catch(
  (error): never | Promise<never> => {
    if (!(error instanceof SeriesError)) throw error
    const { code, message, facts } = error
    port.postMessage({ refusal: { code, message, facts } } satisfies OpeningMessage)
    return new Promise(() => {}) // the opener ends the thread
  }
)
for (const source of dropped) await sealer().call('drop', source)
sealing.clean(retired)
sealing.sum(unsummed)

const calls: KeeperCalls = {
  async write(request) {
    const written = await keeper.write(request)
    if (keeper.isRipe()) void sealing.run()
    return written
  },
  judge: (request) => keeper.judge(request),
  query({ id, query }) {
    tell({ kind: 'query', id, query, snapshot: takeSnapshot(keeper, query) })
  },
  tags: ({ sourceId, page }) => keeper.tags(sourceId, page),
  stats: (sourceIds) => keeper.stats(sourceIds),
  async drop(sourceId) {
    sealing.forget(sourceId)
    await keeper.drop(sourceId)
    await sealer().call('drop', sourceId)
  },
  dropTag: ({ sourceId, tag }) => keeper.dropTag(sourceId, tag),
  async retain({ sourceId, fromNs }) {
    const files = keeper.files.between(sourceId, -Infinity, splitNs(fromNs).day - 1)
    keeper.registry.cutoffs.set(sourceId, fromNs)
    const { removed } = await sealer().call('retain', { source: sourceId, fromNs, files })
    for (const [, ofDay] of Map.groupBy(files, ({ day }) => day)) keeper.files.replace(ofDay, undefined)
    keeper.registry.uncount(removed)
  },
  async export({ sourceId, tags: names }) {
    const { generations, ...found } = snapshotSource(keeper, sourceId, names)
    const held = found.files.map(({ path }) => path)
    const target = join(layout.temporary, `export-${exports++}`)
    mkdirSync(target, { recursive: true, mode: 0o700 })
    const fromNs = keeper.registry.cutoffs.get(sourceId) ?? -(2n ** 63n)
    try {
      const task = { source: sourceId, folder: target, fromNs, ...found }
      return { folder: target, paths: await sealer().call('export', task), held }
    } catch (error) {
      keeper.files.release(held)
      rmSync(target, { recursive: true, force: true })
      throw await withoutPlace(error)
    } finally {
      keeper.held.release(generations)
    }
  },
  release({ folder: target, held }) {
    keeper.files.release(held)
    rmSync(target, { recursive: true, force: true })
  },
  seal: () => sealing.run(true),
  check() {
    keeper.requireSound()
    requireWritable(folder)
    if (sealing.failure !== undefined) throw asSeriesError(indexFault(sealing.failure))
    const lost = lostIndex(layout)
    if (lost !== undefined) throw indexLost(lost)
  },
  scrub: ({ maxBytes, nowMs }) => damage.scrub(keeper.files.all(), maxBytes, nowMs),
  async close() {
    clearInterval(maintenance)
    await sealing.close()
    await keeper.close()
    if (sealerThread !== undefined) await sealerThread.calls.call('close')
    reader.close()
  }
}

/** The error with the name of a damaged file below the folder only: the caller must not see more. */
async function withoutPlace(error: unknown): Promise<unknown> {
  if (!(error instanceof SeriesError && error.code === 'damaged')) return error
  const file = relative(folder, String(error.facts.path))
  await damage.found(file, "it can't be read")
  return new SeriesError('damaged', `${file} is damaged; 'millrace doctor' on the server says what to do`, { file })
}

const maintenance = setInterval(() => void sealing.run(), MAINTENANCE_MS).unref()
serveCalls(port, calls, (error) => asSeriesError(error).code)
port.postMessage({ ready: true })
keepCompiledCode()
damage.lookAgain().catch(report)
void sealing.run()
