import { systemClock } from '../../clock.ts'
import type { SourceStats, TagList, TagPage, WriteRequest, Written } from '../index.ts'
import { Parser, unpack } from '../parse/index.ts'
import { PointBatch } from '../parse/points.ts'
import { TrialTags } from '../parse/trial-tags.ts'
import { dropSource, retainFrom } from './cutoffs.ts'
import { dropTag, sweepTag } from './deletions.ts'
import { encodePoints } from './encode.ts'
import { type ExportedFiles, exportPoints } from './export.ts'
import { Inserter } from './inserter.ts'
import { prepareTables } from './schema.ts'
import type { ClickhouseServer } from './server.ts'
import { Sources } from './sources.ts'
import { statsOf } from './stats.ts'
import { listTags } from './tags.ts'
import { VersionClock } from './version-clock.ts'

const MAX_UNPACKED_BYTES = 256 * 1024 * 1024

/** All but queries, as the thread does it. */
export class ClickhouseEngine {
  readonly #server: ClickhouseServer
  readonly #clock = new VersionClock(systemClock.now)
  readonly #sources: Sources
  readonly #inserter: Inserter
  readonly #batch = new PointBatch()

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

  async write({ sourceId, body, gzip, ...request }: WriteRequest): Promise<Written> {
    const unpacked = unpack(body, gzip, MAX_UNPACKED_BYTES)
    const tags = await this.#sources.forWriting(sourceId)
    // From here to the encoded rows nothing waits: the batch is shared by all writes.
    this.#batch.clear()
    const written = tags.parser.parse({ ...request, body: unpacked }, this.#batch)
    if (this.#batch.length === 0) return written
    const inserted = this.#inserter.insert((rows) => encodePoints(this.#batch, tags, this.#clock, rows))
    await Promise.all([inserted, this.#sources.saveLabels(sourceId, tags)])
    return written
  }

  async judge({ sourceId, body, gzip, ...request }: WriteRequest): Promise<Written> {
    const unpacked = unpack(body, gzip, MAX_UNPACKED_BYTES)
    const tags = await this.#sources.forWriting(sourceId)
    const trial = new TrialTags((name) => tags.typeOf(name))
    return new Parser(trial).parse({ ...request, body: unpacked }, new PointBatch())
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

  /** Asks every shard, and whether the tables are there. */
  check(): Promise<void> {
    return this.#server.run(`SELECT max(version) FROM ${this.#server.settings.database}.cutoffs`)
  }

  async close(): Promise<void> {
    await this.#inserter.close()
  }
}
