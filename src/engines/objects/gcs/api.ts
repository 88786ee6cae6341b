import type { IncomingMessage } from 'node:http'
import type { GuardedAgents } from '../../outbound/agent.ts'
import { StoreError } from '../errors.ts'
import { textOf } from '../remote/answer.ts'
import { type Body, exchange, type Message, type Origin } from '../remote/exchange.ts'
import { BodyFailed, fromNetwork } from '../remote/network-errors.ts'
import { repeatedly } from '../remote/repeat.ts'
import { fromStatus } from './errors.ts'
import type { ObjectResource } from './resource.ts'

const PASSING = new Set([408, 429, 500, 502, 503, 504])

export interface Call extends Omit<Message, 'headers'> {
  readonly headers?: Message['headers']
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** The bucket of the call, for the error that it does not exist. */
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

  /** Sends a call; the caller reads the body of the answer. */
  async open(call: Call): Promise<IncomingMessage> {
    const answer = await this.#attempt(call)
    const status = answer.statusCode ?? 0
    if ((status >= 200 && status < 300) || call.accept?.includes(status)) return answer
    const said = await textOf(answer)
    if (status !== 404) throw fromStatus(status, said)
    throw await this.#missing(call, said)
  }

  async json<T>(call: Call): Promise<T> {
    return parse<T>(await textOf(await this.open(call)))
  }

  /** Undefined where the status is one of the accepted ones. */
  async jsonUnless<T>(call: Call & Required<Pick<Call, 'accept'>>): Promise<T | undefined> {
    const answer = await this.open(call)
    const content = await textOf(answer)
    return call.accept.includes(answer.statusCode ?? 0) ? undefined : parse<T>(content)
  }

  /** For calls whose answer has no useful body. */
  async status(call: Call): Promise<number> {
    const answer = await this.open(call)
    await textOf(answer)
    return answer.statusCode ?? 0
  }

  resource(bucket: string, key: string): Promise<ObjectResource> {
    return this.json({ method: 'GET', path: objectPath(bucket, key), bucket, key, repeatable: true })
  }

  async #attempt(call: Call): Promise<IncomingMessage> {
    const { origin, agents, authorization } = this.#settings
    const path = call.path + queryOf(call.query)
    const send = async () => {
      const value = await authorization()
      const headers = { ...call.headers, ...framing(call), ...(value !== undefined && { authorization: value }) }
      return exchange(origin, { ...call, path, headers }, { agents })
    }
    try {
      return await repeatedly(send, { repeatable: call.repeatable === true, passing: PASSING })
    } catch (error) {
      throw error instanceof BodyFailed ? error.cause : (fromNetwork(error) ?? error)
    }
  }

  /** A missing bucket and a missing object give the same answer, except for its text. */
  async #missing({ bucket, key }: Call, said: string): Promise<StoreError> {
    const noBucket = new StoreError('no_such_bucket', `There is no bucket ${bucket}`)
    if (key === undefined) return noBucket
    if (!said.includes('No such object')) {
      const query = { maxResults: 1, fields: 'kind' }
      const path = `${bucketPath(bucket)}/o`
      const found = await this.#attempt({ method: 'GET', path, query, bucket, repeatable: true })
      await textOf(found)
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

function framing({ method, body = [] }: Call): Record<string, string> {
  if (method === 'GET') return {}
  if (!isInMemory(body)) return { 'transfer-encoding': 'chunked' }
  return { 'content-length': String(body.reduce((bytes, piece) => bytes + Buffer.byteLength(piece), 0)) }
}

function isInMemory(body: Body): body is Extract<Body, readonly unknown[]> {
  return Array.isArray(body)
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
