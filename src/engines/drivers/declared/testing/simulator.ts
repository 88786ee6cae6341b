import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { StreamEntry } from '../entry.ts'
import type { JsonRecord } from '../reading/records.ts'
import { type SimulatedRequest, simulatedPage } from './simulated-page.ts'

/** A stream of an entry, with what all of them say, and its records; for a child those of who is asked for. */
export interface SimulatedStream {
  readonly stream: StreamEntry
  readonly records: readonly JsonRecord[] | ((asked: SimulatedRequest) => readonly JsonRecord[])
}

/** What goes wrong in place of an answer: a cut connection, silence, a server that can't, and limits in each of their forms. */
export const FAULTS = [
  'cut',
  'cut-late',
  'silent',
  'silent-late',
  '500',
  '503',
  '504',
  '429',
  'retry-after',
  'retry-date',
  'reset',
  'forbidden'
] as const
export type Fault = (typeof FAULTS)[number]

interface Settings {
  /** Asked before each answer. */
  faultOf?(request: SimulatedRequest, number: number): Fault | undefined
  /** Has the first word: an answer of its own, such as a refusal. */
  instead?(
    request: SimulatedRequest
  ): { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> } | undefined
  /** What comes before the paths of streams. */
  readonly prefix?: string
  /** How far its clock is ahead of the time. */
  readonly skewMs?: number
  readonly now?: () => number
  /** Lets so much time pass for who asked that they wait no longer. */
  passTime?(): void
  /** What becomes of records after each answer. */
  answered?(number: number): void
}

/** A service that answers at the paths of streams, by their own record paths and paging. */
export class Simulator {
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  readonly #streams: readonly SimulatedStream[]
  readonly #settings: Settings
  readonly asked: SimulatedRequest[] = []
  #answers = 0
  origin = ''
  /** Answered in place of everything, as it is. */
  raw: string | undefined
  /** The stream that is answered for where several have the same path; the first of them unless said. */
  meant: StreamEntry | undefined

  constructor(streams: readonly SimulatedStream[], settings: Settings = {}) {
    this.#streams = streams
    this.#settings = settings
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this.origin
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = await requestOf(request, this.origin)
    this.asked.push(asked)
    const fault = this.#settings.faultOf?.(asked, this.asked.length)
    const date = { date: new Date(this.#nowMs).toUTCString() }
    if (fault !== undefined) {
      this.#fail(fault, request, response, date)
      return
    }
    if (this.raw !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(this.raw)
      return
    }
    const told = this.#settings.instead?.(asked)
    if (told !== undefined) {
      answered(response, told.status, { ...date, ...told.headers }, told.body)
      return
    }
    const fitting = this.#streams.filter(({ stream }) => isFor(stream, asked, this.#settings.prefix))
    const fewest = Math.min(...fitting.map(({ stream }) => placeholdersIn(stream)))
    const nearest = fitting.filter(({ stream }) => placeholdersIn(stream) === fewest)
    const found = nearest.find(({ stream }) => stream === this.meant) ?? nearest[0]
    if (found === undefined) {
      answered(response, 404, date, { message: 'There is no such path' })
      return
    }
    const records = typeof found.records === 'function' ? found.records(asked) : found.records
    const { headers, body } = simulatedPage(found.stream, records, asked)
    answered(response, 200, { ...date, ...headers }, body)
    this.#settings.answered?.(++this.#answers)
  }

  get #nowMs(): number {
    return (this.#settings.now?.() ?? Date.now()) + (this.#settings.skewMs ?? 0)
  }

  #fail(fault: Fault, request: IncomingMessage, response: ServerResponse, date: Record<string, string>): void {
    const begin = () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"data": [')
    }
    if (fault === 'cut') request.socket.destroy()
    else if (fault === 'silent') setImmediate(() => this.#settings.passTime?.())
    else if (fault === 'cut-late' || fault === 'silent-late') {
      begin()
      setImmediate(() => (fault === 'cut-late' ? request.socket.destroy() : this.#settings.passTime?.()))
    } else {
      const { status, headers } = this.#refusal(fault)
      answered(response, status, { ...date, ...headers }, { message: 'Something went wrong' })
    }
  }

  #refusal(fault: Exclude<Fault, 'cut' | 'cut-late' | 'silent' | 'silent-late'>): {
    status: number
    headers?: Record<string, string>
  } {
    const seconds = Math.ceil(this.#nowMs / 1000) + 2
    switch (fault) {
      case 'retry-after':
        return { status: 429, headers: { 'retry-after': '2' } }
      case 'retry-date':
        return { status: 503, headers: { 'retry-after': new Date(seconds * 1000).toUTCString() } }
      case 'reset':
        return { status: 429, headers: { 'x-ratelimit-reset': String(seconds) } }
      case 'forbidden':
        return { status: 403, headers: { 'x-ratelimit-remaining': '0', 'ratelimit-reset': '2' } }
      default:
        return { status: Number(fault) }
    }
  }
}

function answered(response: ServerResponse, status: number, headers: Record<string, string>, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body === undefined ? '' : JSON.stringify(body))
}

async function requestOf(request: IncomingMessage, origin: string): Promise<SimulatedRequest> {
  const parts: Uint8Array[] = []
  for await (const part of request) parts.push(part)
  const text = Buffer.concat(parts).toString()
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  return {
    method: request.method ?? '',
    url: new URL(request.url ?? '', origin),
    headers: request.headers,
    body: isForm ? Object.fromEntries(new URLSearchParams(text)) : text === '' ? undefined : JSON.parse(text)
  }
}

/** Whether a stream is asked for, by its path and by what its query says in so many words. */
function isFor(
  { path = '', base, method, query, body, form }: StreamEntry,
  asked: SimulatedRequest,
  prefix = ''
): boolean {
  const usual = body === undefined && form === undefined ? 'GET' : 'POST'
  if (asked.method !== (method ?? usual)) return false
  const told = /^https?:/i.test(path)
    ? path
    : `${base === undefined ? '' : base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`
  const [way = '', search = ''] = told.replace(/^https?:\/\/[^/?]*/i, '').split('?')
  if (!patternOf(`${base === undefined ? prefix : ''}${way}`).test(decodeURI(asked.url.pathname))) return false
  return [...new URLSearchParams(search), ...Object.entries(query ?? {})].every(
    ([name, value]) =>
      (/[{}]/.test(name) && [...asked.url.searchParams.keys()].some((key) => patternOf(name).test(key))) ||
      /[{}]/.test(String(value)) ||
      asked.url.searchParams.get(name) === String(value)
  )
}

/** A path that says more in so many words is meant before others that fit. */
const placeholdersIn = ({ path = '' }: StreamEntry) => path.split('{').length

/** A path whose placeholders may be anything but a slash. */
function patternOf(template: string): RegExp {
  const parts = template
    .replace(/\/+$/, '')
    .split(/\{[^{}]*\}/)
    .map((part) => RegExp.escape(part))
  return new RegExp(`^/*${parts.join('[^/]*').replace(/^\\?\/+/, '')}/*$`)
}
