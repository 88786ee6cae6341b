import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { IndexDb, type SealedFact } from '../index-db.ts'
import type { TagRecord } from '../keeper/log-records.ts'
import type { Layout } from '../layout.ts'
import { mergeSegments, segmentOf } from '../memory/segments.ts'
import type { SealedFile } from '../parquet/index.ts'
import { exportDays } from './export.ts'
import { byName, knownTags, openFiles, readFrom } from './merge.ts'
import { type ParquetFile, ParquetWriter } from './parquet-writer.ts'
import { partition } from './partitions.ts'
import { makeDurable, removeFile } from './sealed-files.ts'
import { Tally } from './tally.ts'
import type { ExportTask, Merged, MergeTask, Retained, RetainTask, Sealed, SealTask } from './tasks.ts'

/** Turns what was written into files, and keeps the index of them. Everything it has answered is durable. */
export class Sealer {
  readonly #layout: Layout
  readonly #index: IndexDb
  readonly #writer: ParquetWriter
  readonly #tags = new Map<number, TagRecord>()

  private constructor(layout: Layout, writer: ParquetWriter) {
    this.#layout = layout
    this.#writer = writer
    this.#index = new IndexDb(layout.index)
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
      for (const file of files) this.#index.addFile(file)
      for (const tag of retired) this.#index.retire(tag)
      this.#index.setFact('tags', tagNumbers)
      this.#index.setFact('sealed', generation)
    })
    return { files, replaced: tally.replaced }
  }

  async merge({ files }: MergeTask): Promise<Merged> {
    const { source, day, sequence } = files.at(-1) as SealedFact
    const opened = openFiles(this.#layout, files)
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
    // In the place of the last of them: what came after that is still newer.
    const written = tags.length === 0 ? undefined : this.#write(source, day, fill, sequence)
    const file = await Promise.resolve(written).finally(() => {
      for (const one of opened) one.close()
    })
    this.#index.transaction(() => {
      for (const { path } of files) this.#index.doom(path)
      if (file !== undefined) this.#index.addFile(file)
      for (const [tag, points] of replaced) this.#index.uncount(tag, points)
    })
    return { file, replaced }
  }

  async clean(file: SealedFact): Promise<Merged | undefined> {
    const [opened] = openFiles(this.#layout, [file]) as [SealedFile]
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
    for (const file of openFiles(this.#layout, files)) {
      for (const id of file.tags().ids) removed.set(id, (removed.get(id) ?? 0) + (file.rangeOf(id)?.count ?? 0))
      file.close()
    }
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
      for (const path of paths) this.#index.spare(path)
    })
  }

  export(task: ExportTask): Promise<string[]> {
    return exportDays(task, this.#layout, this.#writer)
  }

  close(): void {
    this.#writer.close()
    this.#index.close()
  }

  /** A file is on the list of those to remove until the index has it: a crash leaves none behind. */
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
    return { path, source, day, sequence: sequence ?? number, rows: into.rows, sizeBytes }
  }
}
