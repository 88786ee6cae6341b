import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { SeriesError } from '../../errors.ts'
import { removeNote } from '../damage-notes.ts'
import { IndexDb, type SealedFact } from '../index-db.ts'
import type { TagRecord } from '../keeper/log-records.ts'
import type { Layout } from '../layout.ts'
import { mergeSegments, segmentOf } from '../memory/segments.ts'
import { FileSums, findDamage, sumFile } from '../parquet/file-sums.ts'
import { PageCache, type RowRange, SealedFile } from '../parquet/index.ts'
import { exportDays } from './export.ts'
import { byName, knownTags, openFiles, readFrom, type Shelf } from './merge.ts'
import { type ParquetFile, ParquetWriter } from './parquet-writer.ts'
import { partition } from './partitions.ts'
import { makeDurable, removeFile } from './sealed-files.ts'
import { Tally } from './tally.ts'
import type { ExportTask, Merged, MergeTask, Retained, RetainTask, Sealed, SealTask } from './tasks.ts'

interface Place extends MergeTask {
  readonly source: string
  readonly day: number
  readonly sequence: number
}

/** Turns written points into files, and keeps the index of them. Everything it has answered is durable. */
export class Sealer {
  readonly #layout: Layout
  readonly #index: IndexDb
  readonly #writer: ParquetWriter
  readonly #tags = new Map<number, TagRecord>()
  readonly #shelf: Shelf
  /** Checksums of files that are written and not in the index yet. */
  readonly #newSums = new Map<string, Uint8Array>()

  private constructor(layout: Layout, writer: ParquetWriter) {
    this.#layout = layout
    this.#writer = writer
    this.#index = new IndexDb(layout.index)
    this.#shelf = { layout, sumsOf: (path) => this.#sumsOf(path) }
    for (const { tag } of this.#index.tags()) this.#tags.set(tag.id, tag)
  }

  static async open(layout: Layout): Promise<Sealer> {
    return new Sealer(layout, await ParquetWriter.open(layout.temporary))
  }

  async seal({ generation, slabs, chains, exact, newTags, retired, tagNumbers }: SealTask): Promise<Sealed> {
    for (const tag of newTags) this.#tags.set(tag.id, tag)
    for (const { id } of retired) this.#tags.delete(id)
    const tally = new Tally()
    const files: SealedFact[] = []
    for (const { source, day, chains: members } of partition(chains, this.#tags)) {
      const file = await this.#write(source, day, (into) => {
        for (const { chain, tag } of members) {
          const segment = segmentOf(slabs, chain, exact)
          tally.add(tag.id, segment, chain.count)
          into.add(tag.id, tag.name, segment)
        }
      })
      files.push(file)
    }
    this.#index.transaction(() => {
      for (const tag of newTags) this.#index.addTag(tag)
      tally.save(this.#index)
      for (const file of files) this.#addFile(file)
      for (const tag of retired) this.#index.retire(tag)
      this.#index.setFact('tags', tagNumbers)
      this.#index.setFact('sealed', generation)
    })
    return { files, replaced: tally.replaced }
  }

  async merge({ files }: MergeTask): Promise<Merged> {
    const { source, day, sequence } = files.at(-1) as SealedFact
    const opened = openFiles(this.#shelf, files)
    try {
      return await this.#mergeOpened(opened, { files, source, day, sequence })
    } finally {
      for (const one of opened) one.close()
    }
  }

  async #mergeOpened(opened: readonly SealedFile[], { files, source, day, sequence }: Place): Promise<Merged> {
    const tags = byName(knownTags(opened, this.#tags))
    const replaced: [number, number][] = []
    const fill = (into: ParquetFile) => {
      for (const tag of tags) {
        const segments = readFrom(opened, tag.id)
        const segment = mergeSegments(segments)
        const written = segments.reduce((sum, { length }) => sum + length, 0)
        if (written > segment.length) replaced.push([tag.id, written - segment.length])
        into.add(tag.id, tag.name, segment)
      }
    }
    // The merged file takes the sequence of the last one, so that later files stay newer.
    const file = tags.length === 0 ? undefined : await this.#write(source, day, fill, sequence)
    this.#index.transaction(() => {
      for (const { path } of files) this.#index.doom(path)
      if (file !== undefined) this.#addFile(file)
      for (const [tag, points] of replaced) this.#index.uncount(tag, points)
    })
    return { file, replaced }
  }

  async clean(file: SealedFact): Promise<Merged | undefined> {
    const [opened] = openFiles(this.#shelf, [file]) as [SealedFile]
    let isClean: boolean
    try {
      isClean = opened.tags().ids.every((id) => this.#tags.has(id))
    } finally {
      opened.close()
    }
    return isClean ? undefined : this.merge({ files: [file] })
  }

  forgetRetired(ids: readonly number[]): void {
    this.#index.transaction(() => {
      for (const id of ids) this.#index.forgetRetired(id)
    })
  }

  drop(source: string): void {
    this.#index.transaction(() => this.#index.dropSource(source))
    for (const [id, tag] of this.#tags) if (tag.source === source) this.#tags.delete(id)
  }

  retain({ source, fromNs, files }: RetainTask): Retained {
    const removed = new Map<number, number>()
    for (const file of files) this.#count(file, removed)
    this.#index.transaction(() => {
      this.#index.setCutoff(source, fromNs)
      for (const { path } of files) this.#index.doom(path)
      for (const [tag, points] of removed) this.#index.uncount(tag, points)
    })
    return { removed: [...removed] }
  }

  unlink(paths: readonly string[]): void {
    for (const path of paths) removeFile(this.#layout, path)
    this.#index.transaction(() => {
      for (const path of paths) this.#index.forget(path)
    })
    for (const path of paths) removeNote(this.#layout, path)
  }

  /** What is damaged in a file, in words; undefined where nothing is, or where the file is gone. */
  examine(path: string): string | undefined {
    const absolute = this.#layout.absolute(path)
    const sums = this.#sumsOf(path)
    try {
      return sums === undefined ? this.#readAll(path) : findDamage(absolute, sums)
    } catch (error) {
      if (!this.#index.hasFile(path)) return undefined
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'it is missing' : (error as Error).message
    }
  }

  /** Computes the checksums of a file, unless it is gone, or can be seen to be damaged without them. */
  sum(path: string): void {
    if (this.#index.hasFile(path) && this.examine(path) === undefined) {
      this.#index.setSums(path, sumFile(this.#layout.absolute(path)))
    }
  }

  /** Reads a file completely: without checksums only what can't be read is known to be damaged. */
  #readAll(path: string): undefined {
    const file = SealedFile.open(this.#layout.absolute(path), this.#index.dayOf(path), new PageCache(0))
    try {
      for (const id of file.tags().ids) file.read(file.rangeOf(id) as RowRange)
    } finally {
      file.close()
    }
  }

  /** A damaged file is removed all the same; its points can't be counted. */
  #count(fact: SealedFact, into: Map<number, number>): void {
    try {
      const [file] = openFiles(this.#shelf, [fact]) as [SealedFile]
      try {
        for (const id of file.tags().ids) into.set(id, (into.get(id) ?? 0) + (file.rangeOf(id)?.count ?? 0))
      } finally {
        file.close()
      }
    } catch (error) {
      if (!(error instanceof SeriesError && error.code === 'damaged')) throw error
    }
  }

  #sumsOf(path: string): FileSums | undefined {
    const sums = this.#index.sums(path)
    return sums && new FileSums(sums)
  }

  #addFile(file: SealedFact): void {
    this.#index.addFile(file)
    this.#index.setSums(file.path, this.#newSums.get(file.path) as Uint8Array)
    this.#newSums.delete(file.path)
  }

  export(task: ExportTask): Promise<string[]> {
    return exportDays(task, this.#shelf, this.#writer)
  }

  close(): void {
    this.#writer.close()
    this.#index.close()
  }

  /** A file is listed as to be removed until the index has it, so that a crash leaves no stray file. */
  async #write(source: string, day: number, fill: (into: ParquetFile) => void, sequence?: number): Promise<SealedFact> {
    const number = this.#index.fact('sequence') + 1
    const path = this.#layout.sealedFile(source, day, number)
    const absolute = this.#layout.absolute(path)
    this.#index.transaction(() => {
      this.#index.setFact('sequence', number)
      this.#index.doom(path)
    })
    mkdirSync(dirname(absolute), { recursive: true, mode: 0o700 })
    const into = await this.#writer.begin()
    fill(into)
    await into.finish(absolute)
    const sizeBytes = makeDurable(absolute)
    this.#newSums.set(path, sumFile(absolute))
    return { path, source, day, sequence: sequence ?? number, rows: into.rows, sizeBytes }
  }
}
