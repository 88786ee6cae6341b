import { unlinkSync } from 'node:fs'
import type { SeriesError } from '../../errors.ts'
import type { SourceStats, TagList, TagPage, WriteRequest, Written } from '../../index.ts'
import { beginReading, Parser, type Reading } from '../../parse/index.ts'
import { PointBatch } from '../../parse/points.ts'
import { TrialTags } from '../../parse/trial-tags.ts'
import { Turns } from '../../turns.ts'
import type { Layout } from '../layout.ts'
import { type Slab, SlabPool } from '../memory/blocks.ts'
import { Generation } from '../memory/generation.ts'
import type { Sizes } from '../settings.ts'
import { asSeriesError } from './failures.ts'
import { Files } from './files.ts'
import { HeldGenerations } from './held-generations.ts'
import { Log } from './log.ts'
import type { RetiredTag, TagRecord } from './log-records.ts'
import { Registry } from './registry.ts'
import { Room } from './room.ts'
import { SourceGate } from './source-gate.ts'

/** How many times longer a partly written request waits for room. */
const BEGUN_WAITS = 12

export interface KeeperNeeds {
  readonly layout: Layout
  readonly sizes: Sizes
  /** Called with a new slab, before anyone is told of points in it. */
  onSlab(generation: number, slab: Slab): void
  /** Called with files that are out of use and read by nobody. */
  onFree(paths: readonly string[]): void
}

/** A generation with the log that makes it durable. */
export interface Kept {
  readonly generation: Generation
  readonly log: Log
  /** Tags that the index does not know yet. */
  newTags: TagRecord[]
  /** Tags deleted while this generation was written, which the index does not know yet. */
  retired: RetiredTag[]
  readonly begunMs: number
  /** How much of the room for points each holder has taken. */
  readonly heldBy: Map<string, number>
}

/** Everything written, in one place: the log, the points in memory, the list of files. Only one thread uses it. */
export class Keeper {
  readonly registry = new Registry((tag) => this.#unlogged.push(tag))
  readonly files: Files
  /** The oldest first; only the last one is written to. */
  readonly kept: Kept[] = []
  /** Generations that somebody reads. */
  readonly held: HeldGenerations
  readonly #needs: KeeperNeeds
  readonly #batch = new PointBatch()
  readonly #slabs: SlabPool
  readonly #turns = new Turns()
  /** Keeps a tag from being deleted in the middle of a write, which would leave half of its points. */
  readonly #gate = new SourceGate()
  readonly #room: Room
  #unlogged: TagRecord[] = []
  #fault: SeriesError | undefined
  #lastWriteMs = Number.NEGATIVE_INFINITY

  constructor(needs: KeeperNeeds) {
    this.#needs = needs
    this.#slabs = new SlabPool(needs.sizes.maxPointsInMemory)
    this.files = new Files(needs.onFree)
    this.held = new HeldGenerations(this.#slabs)
    this.#room = new Room({ sizes: needs.sizes, kept: this.kept, requireSound: () => this.requireSound() })
  }

  get current(): Kept {
    return this.kept.at(-1) as Kept
  }

  /** Goes on with a generation whose log was read, or begins one. */
  keep(number: number, sizeBytes: number): Kept {
    const { layout, onSlab } = this.#needs
    const newSlab = () => {
      const slab = this.#slabs.take()
      onSlab(number, slab)
      return slab
    }
    const kept: Kept = {
      generation: new Generation(number, newSlab),
      log: new Log(layout.logFile(number), sizeBytes),
      newTags: [],
      retired: [],
      begunMs: performance.now(),
      heldBy: new Map()
    }
    this.kept.push(kept)
    return kept
  }

  async write(request: WriteRequest): Promise<Written> {
    const { sourceId, holder = sourceId } = request
    const reading = beginReading(request)
    if (reading.isLarge) {
      await this.#gate.beside(sourceId, () => this.#writeParts(request, reading))
    } else {
      await this.#room.wait(holder)
      const { synced } = this.#writePart(request, reading)
      await synced
    }
    return reading.tally.written()
  }

  /** Writes part by part. If one fails, the parts before it stay written. */
  async #writeParts(request: WriteRequest, reading: Reading): Promise<void> {
    const { sourceId, holder = sourceId } = request
    const synced: Promise<void>[] = []
    for (let isMore = true; isMore; ) {
      // A write that has begun waits longer before it is given up than one that has not.
      await this.#room.wait(holder, reading.at === 0 ? 1 : BEGUN_WAITS)
      isMore = await this.#turns.take(holder, () => {
        if (!this.#room.hasSome(holder)) return true // other writers were faster
        const part = this.#writePart(request, reading)
        part.synced.catch(() => {}) // awaited below
        synced.push(part.synced)
        return part.isMore
      })
    }
    await Promise.all(synced)
  }

  /** Reads on, and stores the points found. There is no `await` before that, because all writes share the batch. */
  #writePart(request: WriteRequest, reading: Reading): { isMore: boolean; synced: Promise<void> } {
    const { sourceId, holder = sourceId } = request
    this.#lastWriteMs = performance.now()
    this.#batch.clear()
    const isMore = this.registry.source(sourceId).parser.next(reading, request, this.#batch)
    return { isMore, synced: this.#batch.length > 0 ? this.#store(this.#batch, holder) : Promise.resolve() }
  }

  /** What a write would answer; nothing is stored, not even the source. */
  async judge(request: WriteRequest): Promise<Written> {
    const { sourceId, holder = sourceId } = request
    const parser = new Parser(new TrialTags((name) => this.registry.typeOf(sourceId, name)))
    const reading = beginReading(request)
    const batch = new PointBatch()
    for (let isMore = true; isMore; ) {
      batch.clear()
      isMore = await this.#turns.take(holder, () => parser.next(reading, request, batch))
    }
    return reading.tally.written()
  }

  /** Takes points that are in a log already. */
  take(kept: Kept, batch: PointBatch): void {
    kept.generation.append(batch)
    this.registry.count(batch)
  }

  async #store(batch: PointBatch, holder: string): Promise<void> {
    const { log, newTags, generation, heldBy } = this.current
    const tags = this.#unlogged
    try {
      // Written twice: with a single damaged record of names, all later points of these tags would be lost.
      const named =
        tags.length > 0
          ? ([
              { kind: 'tags', tags },
              { kind: 'tags', tags }
            ] as const)
          : []
      log.append([...named, { kind: 'points', batch }])
    } catch (error) {
      throw asSeriesError(error)
    }
    this.#unlogged = []
    for (const tag of tags) newTags.push(tag)
    const before = generation.slots
    this.take(this.current, batch)
    heldBy.set(holder, (heldBy.get(holder) ?? 0) + generation.slots - before)
    await this.#sync(log)
  }

  /**
   * Waits until the log is on the disk. After a failure points that are seen now may be lost with the machine, so no
   * more writes are accepted.
   */
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
    const isOther = ({ source }: RetiredTag) => source !== sourceId
    this.#unlogged = this.#unlogged.filter(isOther)
    for (const kept of this.kept) {
      kept.newTags = kept.newTags.filter(isOther)
      kept.retired = kept.retired.filter(isOther)
    }
    this.files.drop(sourceId)
  }

  /**
   * Takes effect as soon as this resolves; its points are removed from files later. False where there is no such tag.
   */
  dropTag(sourceId: string, name: string): Promise<boolean> {
    return this.#gate.alone(sourceId, () => this.#dropTag(sourceId, name))
  }

  async #dropTag(sourceId: string, name: string): Promise<boolean> {
    this.requireSound()
    const id = this.registry.find(sourceId)?.find(name)
    if (id === undefined) return false
    const { current } = this
    const tag: RetiredTag = { id, source: sourceId }
    if (this.#unlogged.some((unlogged) => unlogged.id === id)) {
      // The tag is in no log yet, so it needs no record.
      this.#unlogged = this.#unlogged.filter((unlogged) => unlogged.id !== id)
      this.registry.retire(tag)
      this.registry.forgetRetired(sourceId, [id])
      return true
    }
    this.#lastWriteMs = performance.now()
    try {
      current.log.append([{ kind: 'retire', ...tag }])
    } catch (error) {
      throw asSeriesError(error)
    }
    this.retireTag(current, tag)
    await this.#sync(current.log)
    return true
  }

  /** Deletes a tag as recorded in a log. */
  retireTag(kept: Kept, tag: RetiredTag): void {
    this.registry.retire(tag)
    kept.retired.push(tag)
  }

  /** Throws the failure of the disk, after which no more writes are accepted. */
  requireSound(): void {
    if (this.#fault !== undefined) throw this.#fault
  }

  /** Whether the current generation should be sealed, and a new one begun. */
  isRipe(): boolean {
    const { sizes } = this.#needs
    const { generation, log, begunMs, retired } = this.current
    if (generation.slots >= sizes.generationPoints || log.sizeBytes >= sizes.generationLogBytes) return true
    // Deleted points can be removed from files once the index knows of the deletion.
    if (this.isIdle() && (generation.points >= sizes.idlePoints || retired.length > 0)) return true
    return log.sizeBytes > 0 && performance.now() - begunMs >= sizes.generationAgeMs
  }

  /** Whether there were no writes for a while. */
  isIdle(): boolean {
    return performance.now() - this.#lastWriteMs >= this.#needs.sizes.idleMs
  }

  /** Removes a generation whose points are in files now. */
  async retire(kept: Kept): Promise<void> {
    this.kept.splice(this.kept.indexOf(kept), 1)
    this.#room.tellOfMore()
    this.held.retire(kept.generation)
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
}
