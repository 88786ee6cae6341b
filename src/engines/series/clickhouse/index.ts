import { rm } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { ScrubStep } from '../../scrub-state.ts'
import { SeriesError } from '../errors.ts'
import { InFlight } from '../in-flight.ts'
import type { ExportedSeries, Series, SourceStats, TagList, TagPage, WriteRequest, Written } from '../index.ts'
import type { Query, QueryAnswer } from '../query/plan.ts'
import { callThread, type ThreadCaller } from '../thread-calls.ts'
import type { Piece } from './answers.ts'
import { readSettings } from './settings.ts'
import type { ThreadCalls } from './worker.ts'

/** The limit of bytes in writes that were not answered yet. */
const MAX_BYTES_IN_FLIGHT = 256 * 1024 * 1024

/**
 * Points in a ClickHouse that others run. Durable means here that ClickHouse has acknowledged them: they survive the
 * end of its process. When it flushes to disk, and how many replicas must have the points, is configured there. Makes
 * its database and tables where they are missing.
 */
export async function openClickhouse({ url }: { readonly url: string }): Promise<Series> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: readSettings(url) })
  const thread = callThread<ThreadCalls>(worker)
  const ended = new Promise<void>((resolve) => {
    worker.once('error', (error) => thread.end(new SeriesError('failed', 'The series thread has failed', {}, error)))
    worker.once('exit', () => {
      thread.end(new SeriesError('closed', 'The series engine is closed'))
      resolve()
    })
  })
  async function end(): Promise<void> {
    await thread.call('close').catch(() => {})
    await ended
  }
  try {
    await thread.call('open')
  } catch (error) {
    await end()
    throw error
  }
  return new ClickhouseSeries(thread, end)
}

class ClickhouseSeries implements Series {
  readonly kind = 'clickhouse'
  readonly #thread: ThreadCaller<ThreadCalls>
  readonly #end: () => Promise<void>
  readonly #inFlight = new InFlight(MAX_BYTES_IN_FLIGHT)
  #queries = 0
  #closing: Promise<void> | undefined

  constructor(thread: ThreadCaller<ThreadCalls>, end: () => Promise<void>) {
    this.#thread = thread
    this.#end = end
  }

  write(request: WriteRequest): Promise<Written> {
    return this.#send('write', request)
  }

  judge(request: WriteRequest): Promise<Written> {
    return this.#send('judge', request)
  }

  async #send(call: 'write' | 'judge', request: WriteRequest): Promise<Written> {
    const end = this.#inFlight.begin(request.holder ?? request.sourceId, request.body.length)
    try {
      return await this.#open().callWith([request.body.buffer], call, request)
    } finally {
      end()
    }
  }

  async query(query: Query, signal?: AbortSignal): Promise<QueryAnswer> {
    const cancelled = new SeriesError('cancelled', 'The query was cancelled')
    if (signal?.aborted) throw cancelled
    const id = this.#queries++
    const stop = () => void this.#call('stop', id).catch(() => {})
    signal?.addEventListener('abort', stop, { once: true })
    const piece = (call: Promise<Piece>) => {
      return call.finally(() => {
        if (signal?.aborted) throw cancelled
      })
    }
    const over = () => {
      signal?.removeEventListener('abort', stop)
    }
    let first: Piece
    try {
      first = await piece(this.#call('query', { id, query }))
    } catch (error) {
      over()
      throw error
    }
    return { body: this.#pieces(first, () => piece(this.#call('next', id)), stop, over) }
  }

  async *#pieces(first: Piece, next: () => Promise<Piece>, stop: () => void, over: () => void) {
    let piece = first
    try {
      while (piece !== undefined) {
        yield piece
        piece = await next()
      }
    } finally {
      if (piece !== undefined) stop()
      over()
    }
  }

  tags(sourceId: string, page: TagPage): Promise<TagList> {
    return this.#call('tags', { sourceId, page })
  }

  stats(sourceIds: readonly string[]): Promise<ReadonlyMap<string, SourceStats>> {
    return this.#call('stats', sourceIds)
  }

  drop(sourceId: string): Promise<void> {
    return this.#call('drop', sourceId)
  }

  dropTag(sourceId: string, tag: string): Promise<boolean> {
    return this.#call('dropTag', { sourceId, tag })
  }

  sweepTag(sourceId: string, tag: string): Promise<void> {
    return this.#call('sweepTag', { sourceId, tag })
  }

  /** ClickHouse has checksums of its own, so there is nothing to do. */
  async scrub(): Promise<ScrubStep> {
    return { sizeBytes: 0, isDone: true }
  }

  retain(sourceId: string, fromMs: number): Promise<void> {
    return this.#call('retain', { sourceId, fromMs })
  }

  async export(sourceId: string, tags: readonly string[] | undefined): Promise<ExportedSeries> {
    const { folder, files } = await this.#call('export', { sourceId, tags })
    return { files, folders: [folder], release: () => rm(folder, { recursive: true, force: true }) }
  }

  check(): Promise<void> {
    return this.#call('check')
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  #call: ThreadCaller<ThreadCalls>['call'] = async (name, ...args) => this.#open().call(name, ...args)

  #open(): ThreadCaller<ThreadCalls> {
    if (this.#closing !== undefined) throw new SeriesError('closed', 'The series engine is closed')
    return this.#thread
  }
}
