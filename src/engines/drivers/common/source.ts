import type { Outbound } from '../../outbound/index.ts'
import { SourceError } from '../errors.ts'
import type { Discovered, OpenSource, Step, Stream, StreamChunk, StreamRead } from '../index.ts'
import { reachSteps } from '../reach.ts'
import { chunksOf } from './chunks.ts'
import { withFirstLook } from './first-look.ts'
import type { System } from './system.ts'

/** Streams that a test looks at, to find one that it may read. */
const LOOKED_AT = 1000
/** Streams that it tries to read one after the other, and how long each may take. */
const TRIED = 5
const TRY_MS = 4000

/** A system with rows as a source: what its test tries, and chunks of what is read. */
export class SystemSource implements OpenSource {
  readonly steps: readonly Step[]
  readonly #system: System

  /** `before` are steps that come before the name is looked up, such as that of a package. */
  constructor(system: System, outbound: Outbound, before: readonly Step[] = []) {
    this.#system = system
    this.steps = withFirstLook([...before, ...reachSteps(system, outbound), ...this.#ownSteps()], system, outbound)
  }

  discover(request: { readonly limit: number; readonly signal: AbortSignal }): Promise<Discovered> {
    return this.#system.list(request)
  }

  read(request: StreamRead): AsyncIterable<StreamChunk> {
    return chunksOf(this.#system.pages(request), request)
  }

  close(): Promise<void> {
    return this.#system.close()
  }

  /** Encryption and signing in are one call, whose error tells which of them did not work. */
  #ownSteps(): Step[] {
    let entering: Promise<string | SourceError> | undefined
    let streams: readonly Stream[] = []
    const enter = (signal: AbortSignal) => {
      entering ??= this.#system.enter(signal).catch((error) => {
        if (error instanceof SourceError) return error
        throw error
      })
      return entering
    }
    return [
      {
        name: 'tls',
        run: async (signal) => {
          const entered = await enter(signal)
          if (entered instanceof SourceError && entered.code === 'tls_failed') throw entered
          return this.#system.tls ? 'It is encrypted, with a certificate for the host' : 'Not encrypted, as configured'
        }
      },
      {
        name: 'authenticate',
        run: async (signal) => {
          const entered = await enter(signal)
          if (entered instanceof SourceError) throw this.#withGrants(entered)
          return entered
        }
      },
      {
        name: 'list',
        run: async (signal) => {
          streams = (await this.#granted(() => this.#system.list({ limit: LOOKED_AT, signal }))).streams
          return streams.length === 0 ? 'There is nothing yet' : `${streams.length} can be listed`
        }
      },
      { name: 'read', run: (signal) => this.#tryReading(streams, signal) }
    ]
  }

  /** One record of one stream is enough: one that is broken or locked must not make all of it look so. */
  async #tryReading(streams: readonly Stream[], signal: AbortSignal): Promise<string> {
    if (streams.length === 0) return 'there is nothing to read yet'
    let first: unknown
    for (const { name } of streams.filter(({ isReadable }) => isReadable).slice(0, TRIED)) {
      const error = await this.#readOne(name, signal)
      if (error === undefined) return `${name} can be read`
      first ??= error
    }
    throw first ?? this.#withGrants(new SourceError('missing_permission', 'Nothing of it may be read'))
  }

  async #readOne(stream: string, signal: AbortSignal): Promise<unknown> {
    const limit = AbortSignal.timeout(TRY_MS)
    try {
      await this.#granted(async () => {
        for await (const _ of this.read({ stream, limit: 1, signal: AbortSignal.any([signal, limit]) })) break
      })
      return undefined
    } catch (error) {
      signal.throwIfAborted()
      if (limit.aborted) return new SourceError('timeout', `${stream} gave no record within ${TRY_MS / 1000} s`)
      // What a system says of a value that it stumbles over has the value in it, which is for nobody's eyes here.
      const isAboutValue = error instanceof SourceError && error.code === 'bad_request'
      return isAboutValue ? new SourceError('bad_request', `${stream} is there, and reading it fails`) : error
    }
  }

  async #granted<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw this.#withGrants(error)
    }
  }

  #withGrants(error: unknown): unknown {
    if (!(error instanceof SourceError) || error.code !== 'missing_permission') return error
    const grants = this.#system.grants()
    const hint = grants.length === 0 ? '' : `; an administrator can run: ${grants.join(' ')}`
    return new SourceError('missing_permission', `${error.message}${hint}`, error.pointer ?? '/user', grants)
  }
}
