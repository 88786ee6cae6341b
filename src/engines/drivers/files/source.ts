import type { Clock } from '../../clock.ts'
import { SourceError } from '../errors.ts'
import type { Discovered, OpenSource, Step, Stream, StreamChunk, StreamRead } from '../index.ts'
import { CURSOR, columnsFor, type Field, type FieldColumn, KEYS, OWN_COLUMNS } from './fields.ts'
import { FileFault } from './formats/format.ts'
import { type FormatName, formatOf, isParquet } from './formats/index.ts'
import { FileInputs } from './input.ts'
import { type Pattern, parsePattern } from './pattern.ts'
import type { FilePlace, FoundFile } from './place.ts'
import { parsePosition } from './position.ts'
import { Reading } from './reading.ts'
import { type Survey, survey } from './survey.ts'

/** By position, files that were changed this recently wait: they may still be written, or get a neighbour of the same time. */
const FRESH_MS = 2000

export interface FilesSettings {
  readonly patterns: readonly string[]
  readonly format: FormatName
}

/** A reading that stopped at its limit: whoever goes on from there need not begin with the file again. */
interface Parked {
  readonly stream: string
  readonly position: string
  readonly reading: Reading
}

/** Files somewhere, as streams of records: one for each pattern. */
export class FilesSource implements OpenSource {
  readonly #place: FilePlace
  readonly #settings: FilesSettings
  readonly #clock: Clock
  readonly #inputs: FileInputs
  #parked: Parked | undefined

  constructor(place: FilePlace, settings: FilesSettings, clock: Clock) {
    this.#place = place
    this.#settings = settings
    this.#clock = clock
    this.#inputs = new FileInputs(place)
  }

  get steps(): readonly Step[] {
    let found: Survey | undefined
    return [
      ...this.#place.steps,
      {
        name: 'list',
        run: async (signal) => {
          let total = 0
          for (const pattern of this.#patterns) {
            const looked = await this.#look(pattern, signal)
            if (found === undefined || found.total === 0) found = looked
            total += looked.total
          }
          return total === 0 ? 'No file fits yet' : `${total} file${total === 1 ? '' : 's'} can be listed`
        }
      },
      { name: 'read', run: (signal) => this.#tryReading(found?.samples[0], signal) }
    ]
  }

  async discover({ limit, signal }: { limit: number; signal: AbortSignal }): Promise<Discovered> {
    const streams: Stream[] = []
    for (const pattern of this.#patterns.slice(0, limit)) streams.push(await this.#describe(pattern, signal))
    return { streams, isWhole: this.#patterns.length <= limit }
  }

  async *read(request: StreamRead): AsyncGenerator<StreamChunk> {
    const { stream, cursor, limit = Number.POSITIVE_INFINITY, signal } = request
    const parked = this.#unpark(request)
    let reading = parked ?? (await this.#begin(request))
    let [left, position, isDone] = [limit, cursor?.after ?? null, false]
    try {
      while (left > 0) {
        const isFirst = left === limit
        const chunk = await reading.next(left, signal).catch(async (error) => {
          // Its connection may have been gone for long; from where it stopped one can always begin again.
          if (reading !== parked || !isFirst || !(error instanceof SourceError && error.isTransient)) throw error
          reading = await this.#begin(request)
          return reading.next(left, signal)
        })
        if (chunk === undefined) break
        left -= chunk.rows
        position = chunk.position ?? position
        yield cursor === undefined ? { ...chunk, position: undefined } : chunk
      }
      isDone = true
    } finally {
      if (isDone && left === 0 && cursor !== undefined && position !== null)
        await this.#park({ stream, position, reading })
      else await reading.close()
    }
  }

  async close(): Promise<void> {
    await this.#parked?.reading.close()
    this.#parked = undefined
    await this.#inputs.close()
    await this.#place.close()
  }

  get #patterns(): Pattern[] {
    return [...new Set(this.#settings.patterns)].map(parsePattern)
  }

  #look(pattern: Pattern, signal: AbortSignal): Promise<Survey> {
    return survey(this.#place, pattern, { after: undefined, untilMs: Number.POSITIVE_INFINITY }, signal)
  }

  async #begin({ stream, cursor, signal }: StreamRead): Promise<Reading> {
    const pattern = this.#patterns.find(({ text }) => text === stream)
    if (pattern === undefined) {
      throw new SourceError('not_found', `${stream} is none of the patterns in \`files\``, '/files')
    }
    if (cursor !== undefined && cursor.column !== CURSOR) {
      throw new SourceError('bad_request', `Files can be read on by ${CURSOR} only`)
    }
    const untilMs = cursor === undefined ? Number.POSITIVE_INFINITY : this.#clock.now() - FRESH_MS
    const after = cursor?.after == null ? undefined : parsePosition(cursor.after)
    const found = await survey(this.#place, pattern, { after, untilMs }, signal)
    const columns = await this.#columnsOf(found.samples, signal)
    const { format } = this.#settings
    return new Reading(
      {
        columns,
        format,
        inputs: this.#inputs,
        after,
        look: (at, by) => survey(this.#place, pattern, { after: at, untilMs }, by)
      },
      found
    )
  }

  #unpark({ stream, cursor }: StreamRead): Reading | undefined {
    const parked = this.#parked
    if (parked === undefined || parked.stream !== stream || parked.position !== cursor?.after) return undefined
    this.#parked = undefined
    return parked.reading
  }

  async #park(parked: Parked): Promise<void> {
    const before = this.#parked
    this.#parked = parked
    await before?.reading.close()
  }

  async #describe(pattern: Pattern, signal: AbortSignal): Promise<Stream> {
    const { samples } = await this.#look(pattern, signal)
    const stream = { name: pattern.text, kind: 'files', keys: KEYS, cursors: [CURSOR] } as const
    try {
      const columns = await this.#columnsOf(samples, signal)
      const own = columns.map(({ name, type }) => ({ name, type, nullable: true }))
      return { ...stream, isReadable: true, columns: [...own, ...OWN_COLUMNS] }
    } catch (error) {
      if (!(error instanceof SourceError && error.code === 'missing_permission')) throw error
      return { ...stream, isReadable: false, columns: OWN_COLUMNS }
    }
  }

  /** By the beginnings of some files. One of Parquet is enough, because it says what it has. */
  async #columnsOf(samples: readonly FoundFile[], signal: AbortSignal): Promise<FieldColumn[]> {
    const { format } = this.#settings
    const first = samples[0]
    const looked = first !== undefined && isParquet(format, first.path) ? [first] : samples
    const fields: Field[][] = []
    for (const file of looked) fields.push(await this.#fieldsOf(file, signal))
    return columnsFor(fields)
  }

  async #fieldsOf(file: FoundFile, signal: AbortSignal): Promise<Field[]> {
    const format = await formatOf(this.#settings.format, file.path)
    try {
      return await format.fieldsOf(this.#inputs.of(file, signal))
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof FileFault) return []
      throw error
    }
  }

  /** The newest file is enough: what is wrong with a record is said when it is read. */
  async #tryReading(file: FoundFile | undefined, signal: AbortSignal): Promise<string> {
    if (file === undefined) return 'there is nothing to read yet'
    try {
      for await (const _ of this.#place.open(file.path, signal)) break
      return `${file.path} can be read`
    } catch (error) {
      if (!(error instanceof SourceError && error.code === 'missing_permission')) throw error
      const grants = this.#place.grantsFor(file.path)
      const hint = grants.length === 0 ? '' : `; an administrator can run: ${grants.join(' ')}`
      throw new SourceError('missing_permission', `${error.message}${hint}`, '/files', grants)
    }
  }
}
