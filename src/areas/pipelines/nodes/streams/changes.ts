import { setTimeout as delay } from 'node:timers/promises'
import type { OpenSource, StreamChanges, StreamChangesChunk } from '../../../../engines/drivers/index.ts'
import { NodeFault } from '../../contract/context.ts'
import type { Batch, Source, SourceContext } from '../../contract/source.ts'
import { connected } from '../outside/faults.ts'
import { SqlBatch } from '../sql/batch.ts'
import { ColumnNews } from './column-news.ts'
import { readerOf } from './reader-name.ts'
import type { StreamSourceConfig } from './source.ts'

interface Position {
  readonly changes: string
  /** What they are of: another stream begins anew. */
  readonly connectorId: string
  readonly stream: string
}

type Chunks = AsyncIterator<StreamChangesChunk>

interface Reading {
  readonly changes: StreamChanges
  readonly chunks: Chunks
  readonly stop: AbortController
}

/** Changes of a stream: a batch for each chunk, with the position of the chunk. */
export class ChangeReads implements Source {
  readonly #context: SourceContext<StreamSourceConfig>
  readonly #opened: OpenSource
  readonly #news: ColumnNews
  /** What was given last; the next reading goes on from there. */
  #after: string | null
  #reading: Reading | undefined
  #asked: ReturnType<Chunks['next']> | undefined
  /** A new reading goes on once its beginning is kept; whatever is written before that could not be mended by what follows. */
  #beginning: PromiseWithResolvers<void> | undefined
  #made = 0

  constructor(context: SourceContext<StreamSourceConfig>, opened: OpenSource) {
    this.#context = context
    this.#opened = opened
    this.#news = new ColumnNews(context)
    this.#after = positionOf(context)
  }

  readonly gathers = true

  get isAwaited(): boolean {
    return this.#beginning !== undefined
  }

  async next({ waitMs, signal }: { waitMs: number; signal: AbortSignal }): Promise<Batch | 'idle' | 'ended'> {
    if (this.#beginning !== undefined) {
      await Promise.race([this.#beginning.promise, delay(waitMs, undefined, { signal })])
      return 'idle'
    }
    try {
      const next = await connected(() => this.#take(waitMs, signal))
      if (next === 'idle') return 'idle'
      const batch = await this.#batchOf(next)
      if (this.#after === null) this.#beginning = Promise.withResolvers()
      this.#after = next.position
      return batch
    } catch (error) {
      await this.#endReading()
      throw error
    }
  }

  async committed(position: unknown): Promise<void> {
    this.#reading?.changes.confirm((position as Position).changes)
    this.#beginning?.resolve()
    this.#beginning = undefined
  }

  async close(): Promise<void> {
    await this.#endReading()
    await this.#opened.close()
  }

  async #take(waitMs: number, signal: AbortSignal): Promise<StreamChangesChunk | 'idle'> {
    this.#reading ??= this.#begin()
    this.#asked ??= this.#reading.chunks.next()
    const waiting = new AbortController()
    const late = delay(waitMs, 'idle' as const, { signal: AbortSignal.any([signal, waiting.signal]) })
    try {
      const next = await Promise.race([this.#asked, late])
      if (next === 'idle') return 'idle'
      this.#asked = undefined
      if (next.done) throw new NodeFault('transient', 'unavailable', 'No more changes are sent; trying again')
      return next.value
    } finally {
      late.catch(() => {})
      waiting.abort()
    }
  }

  #begin(): Reading {
    const { config, pipelineId, nodeId, log } = this.#context
    const reader = readerOf(pipelineId, nodeId)
    const stop = new AbortController()
    const signal = AbortSignal.any([this.#context.signal, stop.signal])
    const changes = this.#opened.changes?.({ stream: config.stream, reader, after: this.#after, signal })
    if (changes === undefined)
      throw new NodeFault('fatal', 'changes_off', 'This kind of source has no log of changes that can be read')
    if (this.#after === null) log('info', `Reading all rows and then changes, as the reader ${reader}`)
    return { changes, chunks: changes[Symbol.asyncIterator](), stop }
  }

  async #batchOf(chunk: StreamChangesChunk): Promise<Batch> {
    const { connectorId, stream } = this.#context.config
    const position: Position = { changes: chunk.position, connectorId, stream }
    if (chunk.rows === 0) return { parts: [], position, release: async () => {} }
    this.#news.see(chunk)
    this.#made += 1
    const batch = new SqlBatch(this.#context, this.#made, chunk.columns)
    try {
      await batch.add({ ...chunk, position: undefined })
      return await batch.finish(position, { table: stream, cursor: '_position' })
    } catch (error) {
      await batch.drop()
      throw error
    }
  }

  /** What was asked for and not taken comes again with the next reading. */
  async #endReading(): Promise<void> {
    const reading = this.#reading
    const asked = this.#asked
    this.#asked = undefined
    this.#reading = undefined
    reading?.stop.abort()
    await asked?.catch(() => {})
    await reading?.chunks.return?.().catch(() => {})
  }
}

function positionOf({ position, config, log }: SourceContext<StreamSourceConfig>): string | null {
  const { changes, connectorId, stream } = (position ?? {}) as Partial<Position>
  if (changes === undefined) return null
  if (connectorId === config.connectorId && stream === config.stream) return changes
  log('info', `Beginning anew: the position is one of ${stream} of the connector ${connectorId}`)
  return null
}
