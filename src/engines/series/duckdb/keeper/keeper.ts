import { unlinkSync } from 'node:fs'
import { SeriesError } from '../../errors.ts'
import type { SourceStats, TagList, TagPage, WriteRequest, Written } from '../../index.ts'
import { unpack } from '../../parse/index.ts'
import { PointBatch } from '../../parse/points.ts'
import type { Layout } from '../layout.ts'
import type { Slab } from '../memory/blocks.ts'
import { Generation } from '../memory/generation.ts'
import type { Sizes } from '../settings.ts'
import { asSeriesError } from './failures.ts'
import { Files } from './files.ts'
import { Log } from './log.ts'
import type { TagRecord } from './log-records.ts'
import { Registry } from './registry.ts'

export interface KeeperNeeds {
  readonly layout: Layout
  readonly sizes: Sizes
  /** Told of room for points before anyone can be told of points in it. */
  onSlab(generation: number, slab: Slab): void
  /** Told of files that are part of nothing and read by nobody. */
  onFree(paths: readonly string[]): void
}

/** A generation with the log that makes it durable. */
export interface Kept {
  readonly generation: Generation
  readonly log: Log
  /** Tags that the index does not know yet. */
  readonly newTags: TagRecord[]
  readonly begunMs: number
}

/** Everything written, in one place: the log, the points in memory, the list of files. One thread has it to itself. */
export class Keeper {
  readonly registry = new Registry((tag) => this.#unlogged.push(tag))
  readonly files: Files
  /** The oldest first; the last one is written to. */
  readonly kept: Kept[] = []
  readonly #needs: KeeperNeeds
  readonly #batch = new PointBatch()
  #unlogged: TagRecord[] = []
  #fault: SeriesError | undefined

  constructor(needs: KeeperNeeds) {
    this.#needs = needs
    this.files = new Files(needs.onFree)
  }

  get current(): Kept {
    return this.kept.at(-1) as Kept
  }

  /** Goes on with a generation whose log has been read, or begins one. */
  keep(number: number, sizeBytes: number, nowMs: number): Kept {
    const { layout, onSlab } = this.#needs
    const kept = {
      generation: new Generation(number, (slab) => onSlab(number, slab)),
      log: new Log(layout.logFile(number), sizeBytes),
      newTags: [],
      begunMs: nowMs
    }
    this.kept.push(kept)
    return kept
  }

  async write({ sourceId, format, precision, gzip, body, nowMs }: WriteRequest): Promise<Written> {
    this.#refuseIfFull()
    const unpacked = unpack(body, gzip, this.#needs.sizes.maxUnpackedBytes)
    this.#batch.clear()
    const { parser } = this.registry.source(sourceId)
    const written = parser.parse({ format, precision, nowMs, body: unpacked }, this.#batch)
    if (this.#batch.length > 0) await this.#store(this.#batch)
    return written
  }

  /** Takes points that a log holds already. */
  take(kept: Kept, batch: PointBatch): void {
    kept.generation.append(batch)
    this.registry.count(batch)
  }

  async #store(batch: PointBatch): Promise<void> {
    const { log, newTags } = this.current
    const tags = this.#unlogged
    try {
      log.append([...(tags.length > 0 ? [{ kind: 'tags', tags } as const] : []), { kind: 'points', batch }])
    } catch (error) {
      throw asSeriesError(error)
    }
    this.#unlogged = []
    for (const tag of tags) newTags.push(tag)
    this.take(this.current, batch)
    await this.#sync(log)
  }

  /** What the disk did not take may be lost with the machine though it is seen now: nothing more is promised then. */
  async #sync(log: Log): Promise<void> {
    try {
      await log.synced()
    } catch (error) {
      this.#fault = asSeriesError(error)
      throw this.#fault
    }
  }

  async drop(sourceId: string): Promise<void> {
    const { log } = this.current
    log.append([{ kind: 'drop', source: sourceId }])
    this.forget(sourceId)
    await this.#sync(log)
  }

  forget(sourceId: string): void {
    this.registry.drop(sourceId)
    this.#unlogged = this.#unlogged.filter(({ source }) => source !== sourceId)
    this.files.drop(sourceId)
  }

  /** Whether what is written to should be sealed, and a new generation begun. */
  isRipe(nowMs: number): boolean {
    const { sizes } = this.#needs
    const { generation, log, begunMs } = this.current
    if (generation.slots >= sizes.generationPoints || log.sizeBytes >= sizes.generationLogBytes) return true
    return log.sizeBytes > 0 && nowMs - begunMs >= sizes.generationAgeMs
  }

  /** Takes a generation away whose points are in files now. */
  async retire(kept: Kept): Promise<void> {
    this.kept.splice(this.kept.indexOf(kept), 1)
    await kept.log.close()
    unlinkSync(kept.log.path)
  }

  tags(sourceId: string, page: TagPage): TagList {
    return this.registry.list(sourceId, page)
  }

  stats(sourceIds: readonly string[]): Map<string, SourceStats> {
    const found = sourceIds.map((id) => [id, this.registry.stats(id)] as const)
    return new Map(found.filter((entry): entry is [string, SourceStats] => entry[1] !== undefined))
  }

  async close(): Promise<void> {
    for (const { log } of this.kept) await log.close()
  }

  #refuseIfFull(): void {
    if (this.#fault !== undefined) throw this.#fault
    const slots = this.kept.reduce((sum, { generation }) => sum + generation.slots, 0)
    if (slots < this.#needs.sizes.maxPointsInMemory) return
    throw new SeriesError('busy', 'Points come in faster than they can be put into files')
  }
}
