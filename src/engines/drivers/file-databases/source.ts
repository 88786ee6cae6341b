import { chunksOf } from '../common/chunks.ts'
import type { Dialect } from '../common/dialect.ts'
import { TableSystem } from '../common/tables.ts'
import { SourceError } from '../errors.ts'
import type { FilePlace } from '../files/place.ts'
import type { Discovered, OpenSource, Step, Stream, StreamChunk, StreamRead } from '../index.ts'
import type { DatabaseCopy } from './copy.ts'
import type { DatabaseKind } from './heads.ts'
import { FileSpeaker } from './process/speaker.ts'

/** Tables that a test looks at, and how many of them it tries to read. */
const LOOKED_AT = 1000
const TRIED = 3

export interface FileDatabaseParts {
  readonly kind: DatabaseKind
  readonly dialect: Dialect
  readonly place: FilePlace
  readonly copy: DatabaseCopy
}

/** A database that is a file somewhere: it is copied here, and its tables are read from the copy, by a process of its own. */
export class FileDatabaseSource implements OpenSource {
  readonly #parts: FileDatabaseParts
  readonly #speakers = new Set<FileSpeaker>()

  constructor(parts: FileDatabaseParts) {
    this.#parts = parts
  }

  get steps(): readonly Step[] {
    let streams: readonly Stream[] = []
    const own: Step[] = [
      {
        name: 'list',
        run: async (signal) => {
          streams = (await this.discover({ limit: LOOKED_AT, signal })).streams
          return `${streams.length} tables and views can be listed`
        }
      },
      { name: 'read', run: (signal) => this.#tryReading(streams, signal) }
    ]
    return [...this.#parts.place.steps, ...own].map(aboutUrl)
  }

  async discover(request: { readonly limit: number; readonly signal: AbortSignal }): Promise<Discovered> {
    const speaker = await this.#speak(request.signal)
    try {
      return await this.#tables(speaker).list(request)
    } finally {
      await this.#end(speaker)
    }
  }

  async *read(request: StreamRead): AsyncGenerator<StreamChunk> {
    const speaker = await this.#speak(request.signal)
    try {
      yield* chunksOf(this.#tables(speaker).pages(request), request)
    } finally {
      await this.#end(speaker)
    }
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#speakers, (speaker) => this.#end(speaker)))
    await this.#parts.copy.close()
    await this.#parts.place.close()
  }

  #tables(speaker: FileSpeaker): TableSystem {
    return new TableSystem(speaker, this.#parts.dialect)
  }

  async #speak(signal: AbortSignal): Promise<FileSpeaker> {
    try {
      const speaker = new FileSpeaker(this.#parts.kind, await this.#parts.copy.path(signal))
      this.#speakers.add(speaker)
      return speaker
    } catch (error) {
      signal.throwIfAborted()
      throw pointed(error)
    }
  }

  async #end(speaker: FileSpeaker): Promise<void> {
    this.#speakers.delete(speaker)
    await speaker.close()
  }

  /** One is enough: a view that needs something that is not in the file must not make all of it look broken. */
  async #tryReading(streams: readonly Stream[], signal: AbortSignal): Promise<string> {
    if (streams.length === 0) return 'there is nothing to read yet'
    let first: unknown
    for (const { name } of streams.toSorted(tablesFirst).slice(0, TRIED)) {
      try {
        for await (const _ of this.read({ stream: name, limit: 1, signal })) break
        return `${name} can be read`
      } catch (error) {
        signal.throwIfAborted()
        first ??= error
      }
    }
    throw first
  }
}

const tablesFirst = (a: Stream, b: Stream) => Number(a.kind === 'view') - Number(b.kind === 'view')

/** What files at an address and in a bucket have fields for is one field here. */
const POINTERS: Readonly<Record<string, string>> = { '/urls': '/url', '/bucket': '/url', '/files': '/url' }

function pointed(error: unknown): unknown {
  if (!(error instanceof SourceError) || error.pointer === undefined) return error
  const pointer = POINTERS[error.pointer] ?? error.pointer
  return new SourceError(error.code, error.message, pointer, error.grants)
}

const aboutUrl = ({ name, run }: Step): Step => ({
  name,
  async run(signal) {
    try {
      return await run(signal)
    } catch (error) {
      throw pointed(error)
    }
  }
})
