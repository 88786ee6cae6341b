import { rm } from 'node:fs/promises'
import { toFault } from '../../contract/faults.ts'
import type { Batch, Rejected, SourceContext } from '../../contract/source.ts'
import type { FileSourceConfig } from './config.ts'
import type { FetchedObject } from './listing.ts'
import { type OpenedObject, openObject } from './open.ts'
import { borderOf, partsOf } from './parts.ts'
import { oneReject } from './rejects.ts'
import type { FoundTypes } from './types.ts'

/** How much of an object has been given. */
export interface ReadSoFar {
  readonly row: number
  readonly rejected: number
}

export interface ReadPart {
  readonly batch: Omit<Batch, 'position'>
  readonly soFar: ReadSoFar
  readonly isLast: boolean
}

/** Faults of the machine, not of the object. */
const NOT_THE_OBJECT = new Set(['disk_full', 'out_of_memory', 'interrupted'])

/** Without what DuckDB calls its errors, and what only it has a name for. */
const inWords = (message: string): string =>
  message
    .replace(/^[A-Z][\w ]* Error: /, '')
    .replaceAll(/(?<= at end of) file ['"]…['"]/g, ' it')
    .replaceAll(/ ?(?:in )?[Ff]ile ['"]…['"],?/g, '')
    .trim()

/** Gives the records of one object as batches, and what in it is no record as rejected. */
export class ObjectReader {
  readonly #opened: OpenedObject
  #soFar: ReadSoFar
  #unreleased = 0
  #isGiven = false

  private constructor(opened: OpenedObject, soFar: ReadSoFar) {
    this.#opened = opened
    this.#soFar = soFar
  }

  static async open(
    context: SourceContext<FileSourceConfig>,
    fetched: FetchedObject,
    types: FoundTypes,
    soFar: ReadSoFar = { row: 0, rejected: 0 }
  ): Promise<ObjectReader> {
    const { key } = fetched.object
    try {
      return new ObjectReader(await openObject(context, fetched, types), soFar)
    } catch (error) {
      for (const path of [fetched.path, `${fetched.path}.parquet`]) await rm(path, { force: true })
      const fault = toFault(error)
      if (context.signal.aborted || NOT_THE_OBJECT.has(fault.code)) throw fault
      const reason = `Object ${key} can't be read: ${inWords(fault.message.replaceAll(fetched.path, key))}`
      const origin = { object: fetched.reference }
      const rejects = oneReject({ code: 'unreadable_object', reason, record: JSON.stringify({ key }), origin })
      return new ObjectReader({ records: undefined, rejects, found: types }, soFar)
    }
  }

  /** The types of columns that are known now. */
  get types(): FoundTypes {
    return this.#opened.found
  }

  /** How much of the object has been given, from 0 to 1. */
  get share(): number {
    const { records, rejects } = this.#opened
    const total = (records?.parquet.rows ?? 0) + rejects.count
    return total === 0 ? 1 : Math.min(1, (this.#soFar.row + this.#soFar.rejected) / total)
  }

  /** The next part; undefined where there is nothing in it at all. */
  async next(): Promise<ReadPart | undefined> {
    const { records, rejects } = this.#opened
    const { row, rejected } = this.#soFar
    const total = records?.parquet.rows ?? 0
    const to = records === undefined ? row : await borderOf(records, row)
    const parts = records === undefined ? [] : await partsOf(records, row, to)
    const more = await rejects.some(rejected)
    this.#soFar = { row: to, rejected: rejected + more.length }
    const isLast = to >= total && this.#soFar.rejected >= rejects.count
    this.#isGiven = isLast
    if (to === row && more.length === 0) {
      await this.#removeWhenDone()
      return undefined
    }
    return { batch: this.#batchOf(parts, more), soFar: this.#soFar, isLast }
  }

  #batchOf(parts: Batch['parts'], rejected: readonly Rejected[]): Omit<Batch, 'position'> {
    this.#unreleased += 1
    const release = async () => {
      this.#unreleased -= 1
      await this.#removeWhenDone()
    }
    return { parts, rejected, release }
  }

  async #removeWhenDone(): Promise<void> {
    if (!this.#isGiven || this.#unreleased > 0) return
    const { records, rejects } = this.#opened
    if (records !== undefined) await rm(records.parquet.path, { force: true })
    await records?.places.drop()
    await rejects.drop()
  }
}
