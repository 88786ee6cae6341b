import { addAbortSignal, Readable } from 'node:stream'
import type { Clock } from '../../clock.ts'
import { addressOf, type ObjectStore, type OpenedStore, openStore, readDownload } from '../../objects/index.ts'
import type { Outbound } from '../../outbound/index.ts'
import { withFirstLook } from '../common/first-look.ts'
import { SourceError } from '../errors.ts'
import type { Pattern } from '../files/pattern.ts'
import type { FilePlace, FoundFile } from '../files/place.ts'
import type { Step } from '../index.ts'
import { reachSteps } from '../reach.ts'
import type { ObjectsSettings } from './config.ts'
import { fromStore } from './errors.ts'
import { grantsFor } from './grants.ts'

const PAGE = 1000

/** Objects of a bucket, which count as files whose paths are their keys. */
export class ObjectsPlace implements FilePlace {
  readonly #settings: ObjectsSettings
  readonly #outbound: Outbound
  readonly #clock: Clock
  #opened: Promise<OpenedStore> | undefined

  constructor(settings: ObjectsSettings, outbound: Outbound, clock: Clock) {
    this.#settings = settings
    this.#outbound = outbound
    this.#clock = clock
  }

  /** The first call of all tells whether encryption and keys are right, even where listing is not permitted. */
  get steps(): readonly Step[] {
    const { host, port, secure } = addressOf(this.#settings)
    let called: Promise<unknown> | undefined
    const call = () => {
      called ??= this.#page({ prefix: '', limit: 1 }).then(
        () => undefined,
        (error) => error
      )
      return called
    }
    const refuse = async (...codes: readonly SourceError['code'][]) => {
      const error = await call()
      if (error instanceof SourceError && codes.includes(error.code)) throw error
    }
    const steps: Step[] = [
      ...reachSteps({ host, port }, this.#outbound),
      {
        name: 'tls',
        async run() {
          await refuse('tls_failed')
          return secure
            ? 'The connection is encrypted, and the certificate is for the host'
            : 'Not encrypted, as configured'
        }
      },
      {
        name: 'authenticate',
        async run() {
          await refuse('wrong_credentials', 'unavailable', 'timeout', 'rate_limited', 'unreachable')
          return 'The keys are known'
        }
      }
    ]
    return withFirstLook(steps, { host, port, tls: secure }, this.#outbound)
  }

  async *list({ prefix, matches }: Pattern, signal: AbortSignal): AsyncGenerator<FoundFile> {
    let after: string | undefined
    do {
      signal.throwIfAborted()
      const { entries, next } = await this.#page({ prefix, limit: PAGE, ...(after !== undefined && { after }) })
      for (const entry of entries) {
        if ('key' in entry && matches(entry.key)) {
          yield { path: entry.key, modifiedMs: Date.parse(entry.modifiedAt) }
        }
      }
      after = next
    } while (after !== undefined)
  }

  async *open(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const { body } = await this.#asked((store) => store.get(this.#settings.bucket, path))
    if (body instanceof Readable) addAbortSignal(signal, body)
    try {
      yield* readDownload(body)
    } catch (error) {
      signal.throwIfAborted()
      throw fromStore(error)
    } finally {
      if (body instanceof Readable) body.destroy()
    }
  }

  grantsFor(): readonly string[] {
    return grantsFor(this.#settings)
  }

  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined)
    await opened?.close()
  }

  async #page(query: { prefix: string; limit: number; after?: string }) {
    try {
      return await this.#asked((store) => store.list(this.#settings.bucket, { ...query, folders: false }))
    } catch (error) {
      if (!(error instanceof SourceError && error.code === 'missing_permission')) throw error
      const grants = this.grantsFor()
      const hint = grants.length === 0 ? '' : `; an administrator can give: ${grants.join(' ')}`
      throw new SourceError('missing_permission', `${error.message}${hint}`, '/bucket', grants)
    }
  }

  async #asked<T>(work: (store: ObjectStore) => Promise<T>): Promise<T> {
    this.#opened ??= openStore(this.#settings, { outbound: async () => this.#outbound, now: () => this.#clock.now() })
    try {
      return await work((await this.#opened).store)
    } catch (error) {
      throw fromStore(error)
    }
  }
}
