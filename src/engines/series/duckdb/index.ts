import { MessageChannel, Worker } from 'node:worker_threads'
import { lockFolder } from '../../folder-lock.ts'
import type { ScrubStep } from '../../scrub-state.ts'
import { SeriesError } from '../errors.ts'
import { InFlight } from '../in-flight.ts'
import type { ExportedSeries, Series, SourceStats, TagList, TagPage, WriteRequest, Written } from '../index.ts'
import type { Query, QueryAnswer } from '../query/plan.ts'
import { callThread, type ThreadCaller } from '../thread-calls.ts'
import { Answers } from './answers.ts'
import { asSeriesError } from './keeper/failures.ts'
import type { KeeperCalls, KeeperData, OpeningMessage } from './keeper/worker.ts'
import type { ReaderData } from './reader/worker.ts'
import { SIZES, type Sizes } from './settings.ts'

export interface DuckdbSettings {
  readonly folder: string
  readonly sizes?: Partial<Sizes>
  /**
   * Called with errors of background work that will be tried again, and, with code `damaged`, with data that the disk
   * has lost.
   */
  onFailure(error: Error): void
}

/**
 * The embedded engine: a log makes writes durable, memory answers for them, and Parquet files, which DuckDB writes, hold
 * what is older. Three threads share the work: the keeper takes writes, the reader answers queries, the sealer makes files.
 */
export async function openDuckdb({ folder, sizes, onFailure }: DuckdbSettings): Promise<DuckdbSeries> {
  const all = { ...SIZES, ...sizes }
  const unlock = lockFolder(folder)
  const { port1, port2 } = new MessageChannel()
  const readerData: ReaderData = { folder, keeper: port1 }
  const keeperData: KeeperData = { folder, sizes: all, reader: port2 }
  const reader = new Worker(new URL('./reader/worker.ts', import.meta.url), {
    workerData: readerData,
    transferList: [port1]
  })
  const keeper = new Worker(new URL('./keeper/worker.ts', import.meta.url), {
    workerData: keeperData,
    transferList: [port2]
  })
  const opened = new Promise<void>((resolve, reject) => {
    keeper.on('message', (message: OpeningMessage) => {
      if (message.ready) resolve()
      if (message.refusal !== undefined) {
        const { code, message: text, facts } = message.refusal
        reject(new SeriesError(code, text, facts))
      }
      if (message.damage !== undefined) onFailure(new SeriesError('damaged', message.damage))
      if (message.failure !== undefined) onFailure(new Error(message.failure))
    })
    for (const worker of [keeper, reader]) worker.once('error', reject)
  })
  await opened.catch(async (error) => {
    if (error instanceof SeriesError) onFailure(error)
    await Promise.all([keeper.terminate(), reader.terminate()])
    unlock()
    const told = asSeriesError(error)
    throw told.code === 'failed' ? error : told
  })
  return new DuckdbSeries({ keeper, reader, sizes: all, onFailure, unlock })
}

interface Parts {
  readonly keeper: Worker
  readonly reader: Worker
  readonly sizes: Sizes
  onFailure(error: Error): void
  unlock(): void
}

export class DuckdbSeries implements Series {
  readonly kind = 'duckdb'
  readonly #keeper: Worker
  readonly #reader: Worker
  readonly #calls: ThreadCaller<KeeperCalls>
  readonly #answers: Answers
  readonly #inFlight: InFlight
  readonly #unlock: () => void
  #asking = 0
  #fault: SeriesError | undefined

  constructor({ keeper, reader, sizes, onFailure, unlock }: Parts) {
    this.#unlock = unlock
    this.#keeper = keeper
    this.#reader = reader
    this.#inFlight = new InFlight(sizes.maxBytesInFlight)
    this.#calls = callThread(keeper)
    this.#answers = new Answers(reader)
    for (const worker of [keeper, reader]) {
      worker.removeAllListeners('error')
      worker.once('error', (error) => onFailure(error as Error))
      worker.once('exit', () => this.#end())
      worker.unref()
    }
  }

  write(request: WriteRequest): Promise<Written> {
    return this.#send('write', request)
  }

  judge(request: WriteRequest): Promise<Written> {
    return this.#send('judge', request)
  }

  async #send(call: 'write' | 'judge', request: WriteRequest): Promise<Written> {
    const end = this.#inFlight.begin(request.holder ?? request.sourceId, request.body.byteLength)
    // Handed over rather than copied, if nothing else is in the same memory.
    const isAlone = request.body.byteLength === request.body.buffer.byteLength
    const body = isAlone ? request.body : request.body.slice()
    try {
      return await this.#ask(() => this.#calls.callWith([body.buffer], call, { ...request, body }))
    } finally {
      end()
    }
  }

  async query(query: Query, signal?: AbortSignal): Promise<QueryAnswer> {
    if (this.#fault !== undefined) throw this.#fault
    return this.#answers.begin(signal, (id) => this.#calls.call('query', { id, query }))
  }

  tags(sourceId: string, page: TagPage): Promise<TagList> {
    return this.#ask(() => this.#calls.call('tags', { sourceId, page }))
  }

  stats(sourceIds: readonly string[]): Promise<ReadonlyMap<string, SourceStats>> {
    return this.#ask(() => this.#calls.call('stats', sourceIds))
  }

  drop(sourceId: string): Promise<void> {
    return this.#ask(() => this.#calls.call('drop', sourceId))
  }

  dropTag(sourceId: string, tag: string): Promise<boolean> {
    return this.#ask(() => this.#calls.call('dropTag', { sourceId, tag }))
  }

  /** Nothing to do: files are rewritten without the tag in the background. */
  async sweepTag(): Promise<void> {}

  retain(sourceId: string, fromMs: number): Promise<void> {
    return this.#ask(() => this.#calls.call('retain', { sourceId, fromNs: BigInt(fromMs) * 1_000_000n }))
  }

  async export(sourceId: string, tags: readonly string[] | undefined): Promise<ExportedSeries> {
    const exported = await this.#ask(() => this.#calls.call('export', { sourceId, tags }))
    const folders = [...new Set(exported.paths.map((path) => path.slice(0, path.lastIndexOf('/'))))]
    return { files: exported.paths, folders, release: () => this.#ask(() => this.#calls.call('release', exported)) }
  }

  /** Puts all points in memory into files, and merges files where that is due. */
  seal(): Promise<void> {
    return this.#ask(() => this.#calls.call('seal'))
  }

  scrub(maxBytes: number, nowMs: number): Promise<ScrubStep> {
    return this.#ask(() => this.#calls.call('scrub', { maxBytes, nowMs }))
  }

  async check(): Promise<void> {
    await this.#ask(() => this.#calls.call('check'))
  }

  async close(): Promise<void> {
    if (this.#fault !== undefined) return
    await this.#ask(() => this.#calls.call('close'))
    await Promise.all([this.#keeper.terminate(), this.#reader.terminate()])
    this.#unlock()
  }

  /** Keeps the process alive while an answer is awaited, and only then. */
  async #ask<T>(call: () => Promise<T>): Promise<T> {
    if (this.#fault !== undefined) throw this.#fault
    if (this.#asking++ === 0) this.#keeper.ref()
    try {
      return await call()
    } finally {
      if (--this.#asking === 0) this.#keeper.unref()
    }
  }

  #end(): void {
    this.#fault = new SeriesError('closed', 'The time-series engine has ended')
    this.#calls.end(this.#fault)
    this.#answers.fail(this.#fault)
  }
}
