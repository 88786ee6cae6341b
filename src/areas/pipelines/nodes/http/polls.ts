import { setTimeout as delay } from 'node:timers/promises'
import type { Outbound, OutboundResponse } from '../../../../engines/outbound/index.ts'
import { durationMs } from '../../contract/config-parts.ts'
import { NodeFault } from '../../contract/context.ts'
import type { Batch, Rejected, Source, SourceContext } from '../../contract/source.ts'
import { RecordBatches } from '../../records/batches.ts'
import type { JsonRecord } from '../../records/table.ts'
import { HttpCaller } from './call.ts'
import { type CursorValue, greatest, parsePage } from './pages.ts'
import type { HttpSourceConfig } from './source.ts'

const MAX_PAGES = 1000
const MAX_BATCH_RECORDS = 100_000
const MAX_ANSWER_BYTES = 32 * 1024 * 1024
const TIMEOUT_MS = 60_000

interface Position {
  /** What the poll asked for, or the next one will, where this is the end of one. */
  readonly cursor?: CursorValue | undefined
  /** Where the poll goes on; its first page unless given. */
  readonly page?: string | undefined
  /** The greatest value of the pages before. */
  readonly greatest?: CursorValue | undefined
  /** Records of that page that have been given already. */
  readonly skip?: number
  /** The poll was over. */
  readonly isOver?: true
}

interface Part {
  readonly records: readonly JsonRecord[]
  readonly rejected: readonly Rejected[]
  readonly position: Position
  /** The place of the first of its records in the page. */
  readonly from: number
  /** The address of the page without its query, in which there may be secrets. */
  readonly url: string
}

/** Asks page by page; a page is a batch, or several where it is large. */
export class HttpPolls implements Source {
  readonly #context: SourceContext<HttpSourceConfig>
  readonly #batches: RecordBatches
  readonly #caller: HttpCaller
  /** Where to ask next. */
  #at: Position
  /** What is left of the page that is being given in batches. */
  #parts: Part[] = []
  #pages = 0
  #dueMs = 0
  #hasEnded: boolean
  /** Whether the page comes from an earlier run, whose addresses may have run out. */
  #isOldPage: boolean

  constructor(context: SourceContext<HttpSourceConfig>, outbound: Outbound) {
    this.#context = context
    this.#batches = new RecordBatches(context, context.config.columns)
    const judge = (status: number) => (status === 408 || status === 429 || status >= 500 ? 'transient' : 'fatal')
    this.#caller = new HttpCaller(outbound, judge, context)
    const { isOver, ...at } = (context.position as Position | undefined) ?? {}
    this.#at = at
    this.#isOldPage = at.page !== undefined
    const { cursor, interval } = context.config
    this.#hasEnded = isOver === true && cursor === undefined && interval === undefined
  }

  async next({ waitMs, signal }: { waitMs: number; signal: AbortSignal }): Promise<Batch | 'idle' | 'ended'> {
    while (this.#parts.length === 0) {
      if (this.#hasEnded) return 'ended'
      const leftMs = this.#dueMs - this.#context.elapsed()
      if (leftMs > 0) {
        await delay(Math.min(leftMs, waitMs), undefined, { signal })
        if (leftMs > waitMs) return 'idle'
      }
      await this.#ask(signal)
      if (this.#parts.length === 0) this.#context.reached?.()
    }
    const [{ records, rejected, position, from, url }] = this.#parts as [Part]
    const batch = await this.#batches.make(records, rejected, position, (place) => ({ url, record: from + place + 1 }))
    this.#parts.shift()
    return batch
  }

  async close(): Promise<void> {}

  async #ask(signal: AbortSignal): Promise<void> {
    const { config, elapsed } = this.#context
    const startedMs = elapsed()
    const url = this.#at.page ?? this.#firstUrl()
    const bytes = await this.#fetch(url, signal)
    if (bytes === undefined) return
    const page = parsePage(bytes, url, config)
    this.#isOldPage = false
    this.#pages += 1
    if (page.next !== undefined && this.#pages >= MAX_PAGES) {
      throw new NodeFault('fatal', 'too_many_pages', `There are more than ${MAX_PAGES} pages; ask for larger ones`)
    }
    const { cursor, greatest: before } = this.#at
    const most = config.cursor && greatest(page.records, config.cursor.field, before ?? cursor)
    const after: Position =
      page.next === undefined ? { cursor: most, isOver: true } : { cursor, page: page.next, greatest: most }
    this.#parts = this.#split(page, after, withoutQuery(url))
    const { isOver, ...at } = after
    this.#at = at
    if (isOver) this.#endPoll(startedMs)
  }

  /** Undefined where the poll has to begin again. */
  async #fetch(url: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const { method = 'GET', headers = {}, body } = this.#context.config
    const options = { timeoutMs: TIMEOUT_MS, maxResponseBytes: MAX_ANSWER_BYTES, signal }
    try {
      const request = { method, headers, ...(body !== undefined && { body }), ...options }
      return await this.#caller.call(url, request, bytesOf)
    } catch (error) {
      if (!(this.#isOldPage && error instanceof NodeFault && /^status_4\d\d$/.test(error.code))) throw error
      if (error.kind !== 'fatal') throw error
      this.#context.log('warn', `${error.message}; the page of the run before is gone, its poll begins again`)
      this.#isOldPage = false
      this.#at = { cursor: this.#at.cursor }
      return undefined
    }
  }

  #split(
    page: { records: readonly JsonRecord[]; rejected: readonly Rejected[] },
    after: Position,
    url: string
  ): Part[] {
    const { skip = 0, ...here } = this.#at
    const parts: Part[] = []
    let rejected = skip === 0 ? page.rejected.map((letter): Rejected => ({ ...letter, origin: { url } })) : []
    for (let from = skip; from < page.records.length || rejected.length > 0; from += MAX_BATCH_RECORDS) {
      const to = Math.min(from + MAX_BATCH_RECORDS, page.records.length)
      const position = to === page.records.length ? after : { ...here, skip: to }
      parts.push({ records: page.records.slice(from, to), rejected, position, from, url })
      rejected = []
    }
    return parts
  }

  #endPoll(startedMs: number): void {
    const { interval } = this.#context.config
    this.#pages = 0
    if (interval === undefined) this.#hasEnded = true
    else this.#dueMs = startedMs + durationMs(interval)
  }

  #firstUrl(): string {
    const { url, cursor } = this.#context.config
    if (cursor === undefined || this.#at.cursor === undefined) return url
    const asked = new URL(url)
    asked.searchParams.set(cursor.parameter, String(this.#at.cursor))
    return asked.href
  }
}

async function bytesOf(response: OutboundResponse): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
