import type { IncomingMessage } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { GuardedAgents } from '../../outbound/agent.ts'
import { StoreError } from '../errors.ts'
import { fromNetwork, fromStatus } from './errors.ts'
import type { ObjectResource } from './resource.ts'
import { BodyFailed, type Message, type Origin, send, textOf } from './send.ts'

const MAX_ATTEMPTS = 3
const FIRST_PAUSE_MS = 200
const WORTH_ANOTHER_TRY = new Set([408, 429, 500, 502, 503, 504])

export interface Call extends Omit<Message, 'path'> {
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** What it is about, for the answer that there is no such thing. */
  readonly bucket: string
  readonly key?: string
  /** Statuses that are no failure to the caller. */
  readonly accept?: readonly number[]
  /** Whether it can be sent again without harm. */
  readonly repeatable?: boolean
}

export interface ApiSettings {
  readonly origin: Origin
  readonly agents: GuardedAgents
  authorization(): Promise<string | undefined>
}

/** The JSON API of the store; every failure is a `StoreError`, but for what a body threw. */
export class Api {
  readonly #settings: ApiSettings

  constructor(settings: ApiSettings) {
    this.#settings = settings
  }

  /** The caller reads the body of the answer. */
  async open(call: Call): Promise<IncomingMessage> {
    const answer = await this.#attempt(call)
    const status = answer.statusCode ?? 0
    if ((status >= 200 && status < 300) || call.accept?.includes(status)) return answer
    const said = await readText(answer)
    if (status !== 404) throw fromStatus(status, said)
    throw await this.#missing(call, said)
  }

  async json<T>(call: Call): Promise<T> {
    return parse<T>(await readText(await this.open(call)))
  }

  /** Undefined with an accepted status. */
  async jsonUnless<T>(call: Call & Required<Pick<Call, 'accept'>>): Promise<T | undefined> {
    const answer = await this.open(call)
    const content = await readText(answer)
    return call.accept.includes(answer.statusCode ?? 0) ? undefined : parse<T>(content)
  }

  /** For calls whose answer holds nothing to know. */
  async status(call: Call): Promise<number> {
    const answer = await this.open(call)
    await readText(answer)
    return answer.statusCode ?? 0
  }

  resource(bucket: string, key: string): Promise<ObjectResource> {
    return this.json({ method: 'GET', path: objectPath(bucket, key), bucket, key, repeatable: true })
  }

  async #attempt(call: Call): Promise<IncomingMessage> {
    const { origin, agents } = this.#settings
    const message = { ...call, path: call.path + queryOf(call.query) }
    for (let attempt = 1; ; attempt++) {
      const last = attempt === MAX_ATTEMPTS || !call.repeatable
      const authorization = await this.#settings.authorization()
      const headers = authorization === undefined ? call.headers : { ...call.headers, authorization }
      try {
        const answer = await send(origin, headers === undefined ? message : { ...message, headers }, agents)
        if (last || !WORTH_ANOTHER_TRY.has(answer.statusCode ?? 0)) return answer
        await readText(answer)
      } catch (error) {
        if (error instanceof BodyFailed) throw error.cause
        const failure = fromNetwork(error)
        if (last || !(failure instanceof StoreError) || failure.code !== 'store_failed') throw failure
      }
      await wait(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()))
    }
  }

  /** The answer is the same for a bucket and for an object that is not there, but for its text. */
  async #missing({ bucket, key }: Call, said: string): Promise<StoreError> {
    const noBucket = new StoreError('no_such_bucket', `There is no bucket ${bucket}`)
    if (key === undefined) return noBucket
    if (!said.includes('No such object')) {
      const query = { maxResults: 1, fields: 'kind' }
      const path = `${bucketPath(bucket)}/o`
      const found = await this.#attempt({ method: 'GET', path, query, bucket, repeatable: true })
      await readText(found)
      if (found.statusCode === 404) return noBucket
    }
    return new StoreError('no_such_key', 'There is no such object')
  }
}

export function bucketPath(bucket: string): string {
  return `/storage/v1/b/${encodeURIComponent(bucket)}`
}

export function objectPath(bucket: string, key: string): string {
  return `${bucketPath(bucket)}/o/${encodeURIComponent(key)}`
}

export function jsonBody(content: unknown): Pick<Message, 'headers' | 'body'> {
  return { headers: { 'content-type': 'application/json' }, body: [Buffer.from(JSON.stringify(content))] }
}

function queryOf(query: Call['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function parse<T>(content: string): T {
  try {
    return JSON.parse(content) as T
  } catch {
    throw new StoreError('store_failed', 'The server does not answer as Cloud Storage does; check the endpoint')
  }
}

async function readText(answer: IncomingMessage): Promise<string> {
  try {
    return await textOf(answer)
  } catch (error) {
    throw fromNetwork(error)
  }
}
