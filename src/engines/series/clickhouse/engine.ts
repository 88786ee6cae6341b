import { systemClock } from '../../clock.ts'
import { SeriesError } from '../errors.ts'
import type { SourceStats, TagList, TagPage, WriteRequest, Written } from '../index.ts'
import { beginReading, Parser, type Reading } from '../parse/index.ts'
import { PointBatch } from '../parse/points.ts'
import { TrialTags } from '../parse/trial-tags.ts'
import { Turns } from '../turns.ts'
import { dropSource, retainFrom } from './cutoffs.ts'
import { dropTag, sweepTag } from './deletions.ts'
import { encodePoints } from './encode.ts'
import { type ExportedFiles, exportPoints } from './export.ts'
import { Inserter } from './inserter.ts'
import { prepareTables } from './schema.ts'
import type { ClickhouseServer } from './server.ts'
import type { SourceTags } from './source-tags.ts'
import { Sources } from './sources.ts'
import { statsOf } from './stats.ts'
import { listTags } from './tags.ts'
import { VersionClock } from './version-clock.ts'

/** How many parts of a large write may be unacknowledged before the next is read. */
const MAX_PARTS = 4

/** A health check must not take long. */
const CHECK_LIMIT_MS = 5000

/** Everything but queries, as the worker thread does it. */
export class ClickhouseEngine {
  readonly #server: ClickhouseServer
  readonly #clock = new VersionClock(systemClock.now)
  readonly #sources: Sources
  readonly #inserter: Inserter
  readonly #batch = new PointBatch()
  readonly #turns = new Turns()

  private constructor(server: ClickhouseServer) {
    this.#server = server
    this.#sources = new Sources(server, this.#clock)
    this.#inserter = new Inserter(server)
  }

  static async open(server: ClickhouseServer): Promise<ClickhouseEngine> {
    await server.connect()
    await prepareTables(server)
    return new ClickhouseEngine(server)
  }

  /** All parts use the same list of tags: a tag deleted meanwhile counts as deleted after the write. */
  async write(request: WriteRequest): Promise<Written> {
    const { sourceId, holder = sourceId } = request
    const tags = await this.#sources.forWriting(sourceId)
    const reading = beginReading(request)
    const underWay: Promise<unknown>[] = []
    for (let isMore = true; isMore; ) {
      if (underWay.length >= MAX_PARTS) await underWay.shift()
      isMore = await this.#turns.take(holder, () => {
        const part = this.#writePart(request, reading, tags)
        part.kept.catch(() => {}) // awaited below
        underWay.push(part.kept)
        return part.isMore
      })
    }
    await Promise.all(underWay)
    return reading.tally.written()
  }

  /** There is no `await` before the rows are encoded, because all writes share the batch. */
  #writePart(request: WriteRequest, reading: Reading, tags: SourceTags): { isMore: boolean; kept: Promise<unknown> } {
    this.#batch.clear()
    const isMore = tags.parser.next(reading, request, this.#batch)
    if (this.#batch.length === 0) return { isMore, kept: Promise.resolve() }
    const inserted = this.#inserter.insert((rows) => encodePoints(this.#batch, tags, this.#clock, rows))
    return { isMore, kept: Promise.all([inserted, this.#sources.saveLabels(request.sourceId, tags)]) }
  }

  async judge(request: WriteRequest): Promise<Written> {
    const { sourceId, holder = sourceId } = request
    const tags = await this.#sources.forWriting(sourceId)
    const parser = new Parser(new TrialTags((name) => tags.typeOf(name)))
    const reading = beginReading(request)
    const batch = new PointBatch()
    for (let isMore = true; isMore; ) {
      batch.clear()
      isMore = await this.#turns.take(holder, () => parser.next(reading, request, batch))
    }
    return reading.tally.written()
  }

  tags({ sourceId, page }: { sourceId: string; page: TagPage }): Promise<TagList> {
    return listTags(this.#server, sourceId, page)
  }

  stats(sourceIds: readonly string[]): Promise<ReadonlyMap<string, SourceStats>> {
    return statsOf(this.#server, sourceIds)
  }

  async drop(sourceId: string): Promise<void> {
    try {
      await dropSource(this.#server, this.#clock, sourceId)
    } finally {
      this.#sources.forget(sourceId)
    }
  }

  dropTag(asked: { sourceId: string; tag: string }): Promise<boolean> {
    const { sourceId, tag } = asked
    return dropTag(this.#server, this.#clock, asked, (facts) => this.#sources.knows(sourceId, tag, facts))
  }

  sweepTag({ sourceId, tag }: { sourceId: string; tag: string }): Promise<void> {
    return sweepTag(this.#server, sourceId, tag)
  }

  retain({ sourceId, fromMs }: { sourceId: string; fromMs: number }): Promise<void> {
    return retainFrom(this.#server, this.#clock, sourceId, fromMs)
  }

  export({ sourceId, tags }: { sourceId: string; tags: readonly string[] | undefined }): Promise<ExportedFiles> {
    return exportPoints(this.#server, sourceId, tags)
  }

  /** Asks every shard, and checks that the tables exist. */
  async check(): Promise<void> {
    const signal = AbortSignal.timeout(CHECK_LIMIT_MS)
    try {
      await this.#server.run(`SELECT max(version) FROM ${this.#server.settings.database}.cutoffs`, signal)
    } catch (error) {
      if (!signal.aborted) throw error
      throw new SeriesError('unavailable', `ClickHouse does not answer within ${CHECK_LIMIT_MS} ms`, {}, error)
    }
  }

  async close(): Promise<void> {
    await this.#inserter.close()
  }
}
