import { type Clock, systemClock } from '../../clock.ts'
import { entrySteps } from '../entry.ts'
import { SourceError } from '../errors.ts'
import type {
  ColumnType,
  Discovered,
  DriverNeeds,
  OpenSource,
  Step,
  StreamChunk,
  StreamCondition,
  StreamRead
} from '../index.ts'
import { reachSteps } from '../reach.ts'
import { sharedBudget } from './budget.ts'
import { Caller } from './caller.ts'
import { discovered, firstPages } from './discovery.ts'
import type { Entry } from './entry.ts'
import { boundOf } from './reading/bounds.ts'
import { hashOf } from './reading/position.ts'
import { Reading } from './reading/reading.ts'
import type { WalkNeeds } from './reading/walk.ts'
import { Requests, streamOf } from './requests.ts'
import { send } from './send.ts'
import { signerOf } from './sign/index.ts'
import { namesIn, type Scope } from './template/template.ts'

/** A service that an entry tells of, with a configuration. */
export class DeclaredSource implements OpenSource {
  readonly #entry: Entry
  readonly #scope: Scope
  readonly #needs: DriverNeeds
  readonly #clock: Clock
  readonly #requests: Requests
  readonly #caller: Caller
  readonly #pointer: string | undefined

  /** `override` is where the service is in place of where its entry says. */
  constructor(entry: Entry, scope: Scope, override: URL | undefined, needs: DriverNeeds) {
    const { outbound, clock = systemClock } = needs
    this.#entry = entry
    this.#scope = scope
    this.#needs = needs
    this.#clock = clock
    this.#requests = new Requests(entry, scope, override)
    this.#pointer = override === undefined ? pointerTo(namesIn(entry.base)[0]) : '/base_url'
    const requests = this.#requests
    const secrets = secretsIn(entry, scope)
    const signer = signerOf(entry.authentication, scope, {
      send: (request, signal) => send(outbound, { ...request, url: requests.moved(request.url) }, signal),
      clock,
      secrets: needs.secrets
    })
    this.#caller = new Caller({
      outbound,
      clock,
      signer,
      budget: sharedBudget(hashOf([entry.id, requests.base.origin, secrets]), clock, entry.rate),
      secretPointer: pointerTo(secretNames(entry, scope)[0]) ?? '',
      secrets
    })
  }

  get steps(): readonly Step[] {
    const { protocol, hostname, port } = this.#requests.base
    const tls = protocol === 'https:'
    const place = { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? (tls ? 443 : 80) : Number(port) }
    let found: string | SourceError | undefined
    const enter = async (signal: AbortSignal) => {
      // Whoever is told that something is not there was let in.
      found = await this.#check(signal).catch((error) => {
        if (error instanceof SourceError && error.code === 'not_found') return error
        throw error
      })
    }
    const read = async () => {
      if (found instanceof SourceError) throw found
      return found ?? 'there is nothing to try reading with'
    }
    const count = Object.values(this.#entry.streams).filter(({ unreadable }) => unreadable === undefined).length
    return [
      ...reachSteps(place, this.#needs.outbound).map((step) => this.#pointed(step)),
      ...entrySteps({ tls }, enter).map((step) =>
        step.name === 'authenticate'
          ? { ...step, run: async (signal: AbortSignal) => entered(await step.run(signal), this.#entry) }
          : step
      ),
      { name: 'list', run: async () => `${count} streams are known` },
      { name: 'read', run: read }
    ]
  }

  discover({ limit, signal }: { readonly limit: number; readonly signal: AbortSignal }): Promise<Discovered> {
    return discovered(this.#entry, limit, this.#walkNeeds(signal))
  }

  /** A condition on what reading goes by is asked of the service, which may send more. */
  narrows(condition: StreamCondition, type: ColumnType, stream: string): 'roughly' | undefined {
    return boundOf(streamOf(this.#entry, stream), condition, type) === undefined ? undefined : 'roughly'
  }

  async *read(request: StreamRead): AsyncGenerator<StreamChunk> {
    const note = (message: string) => request.note?.(message)
    yield* new Reading(this.#entry, request, { ...this.#walkNeeds(request.signal), clock: this.#clock, note }).chunks()
  }

  async close(): Promise<void> {
    this.#caller.close()
  }

  #walkNeeds(signal: AbortSignal): WalkNeeds & { readonly nowMs: number } {
    return {
      caller: this.#caller,
      requests: this.#requests,
      scope: this.#scope,
      signal,
      nowMs: this.#clock.now()
    }
  }

  /** Asks what the entry says; answers what was found, in words. */
  async #check(signal: AbortSignal): Promise<string | undefined> {
    const { check } = this.#entry
    if (check === undefined) return undefined
    if (typeof check !== 'string') {
      await this.#caller.call(this.#requests.of(check, this.#scope), signal)
      return 'it answers what it was asked'
    }
    for await (const { missing } of firstPages(this.#entry, check, this.#walkNeeds(signal))) {
      // It may be so because there is nothing.
      if (missing !== undefined) return `${check} answers, and no record is where its entry says: ${missing}`
      break
    }
    return `${check} can be read`
  }

  /** The configuration has no host: what is at fault is the setting that the address is made of. */
  #pointed(step: Step): Step {
    return {
      name: step.name,
      run: (signal) =>
        step.run(signal).catch((error) => {
          throw error instanceof SourceError ? new SourceError(error.code, error.message, this.#pointer) : error
        })
    }
  }
}

const entered = (message: string, { check }: Entry): string =>
  check === undefined
    ? 'Nothing is known that could be asked to try the credentials'
    : message.replace(/^One .*$/, 'The credentials are accepted')

const pointerTo = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : `/${name.split('.')[0]}`

/** The secret settings that are given; the others may be for another way to sign in. */
function secretNames({ settings }: Entry, scope: Scope): string[] {
  const names = Object.entries(settings).flatMap(([name, { secret }]) => (secret === true ? [name] : []))
  return [...names.filter((name) => scope[name] !== undefined), ...names]
}

function secretsIn(entry: Entry, scope: Scope): string[] {
  return [...new Set(secretNames(entry, scope))].flatMap((name) => {
    const value = scope[name]
    return typeof value === 'string' && value !== '' ? [value] : []
  })
}
