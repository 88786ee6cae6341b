import { MASK_TEXT } from '../../../data/mask.ts'
import type { Bus } from '../../../engines/bus/index.ts'
import { type Clock, toIso } from '../../../engines/clock.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { ServerEvent } from '../../../http/server-sent-events.ts'
import type { Asker } from '../../classification/index.ts'
import type { RecordRights } from '../rights/records.ts'
import { findPipeline, requirePipeline } from '../store/pipelines.ts'
import type { LogRow } from '../store/rows.ts'
import type { LogLine, LogQuery } from './schema.ts'
import { lineBeforeLast, linesFrom, listLines } from './store.ts'

const PAGE_LINES = 200
/** Lines of the past that a reader is shown who comes for the first time. */
const TAIL_LINES = 100
/** How often the database is asked: the bus does not tell of lines that other replicas write. */
const POLL_MS = 1000
/** With several replicas, a line may be committed after one that has a later time; so long after, none is missing. */
const SETTLED_AFTER_MS = 2000

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly bus: Bus
  readonly records: Pick<RecordRights, 'areMasked'>
}

/** What pipelines say, as pages and as it comes. */
export class Logs {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async list(asker: Asker, pipelineId: string, query: LogQuery) {
    const { db } = this.#needs.metadata
    const { rows, total, nextCursor } = await listLines(db, pipelineId, query)
    await requirePipeline(db, pipelineId)
    const isMasked = await this.#needs.records.areMasked(asker, pipelineId)
    return { logs: rows.map((row) => toLine(row, isMasked)), total, nextCursor }
  }

  /** Refuses before anything is answered: there has to be such a pipeline, and the caller may see what it says. */
  async require(asker: Asker, pipelineId: string): Promise<void> {
    await requirePipeline(this.#needs.metadata.db, pipelineId)
    await this.#needs.records.areMasked(asker, pipelineId)
  }

  /** Every line after `after`, page by page as they are taken; ends when the pipeline is deleted. */
  async *follow(
    asker: Asker,
    pipelineId: string,
    after: string | undefined,
    signal: AbortSignal
  ): AsyncGenerator<ServerEvent> {
    const { metadata, clock, bus } = this.#needs
    const news = new News(bus, clock, pipelineId)
    try {
      let last = after ?? (await lineBeforeLast(metadata.db, pipelineId, TAIL_LINES)) ?? ''
      while (!signal.aborted) {
        const rows = await linesFrom(metadata.db, { pipelineId, from: last, limit: PAGE_LINES, until: this.#until() })
        const [first] = rows
        if (first !== undefined && last !== '' && first.id !== last) yield SKIPPED
        // Asked again for each page: a label may come while somebody reads.
        const isMasked = rows.length > 0 && (await this.#needs.records.areMasked(asker, pipelineId))
        for (const row of rows) {
          if (row.id !== last) yield { id: row.id, event: 'log', data: toLine(row, isMasked) }
        }
        last = rows.at(-1)?.id ?? last
        if (first === undefined && (await findPipeline(metadata.db, pipelineId)) === undefined) return
        if (rows.length < PAGE_LINES) await news.wait(signal)
      }
    } finally {
      news.close()
    }
  }

  /** Undefined where lines are committed in the order of their ids. */
  #until(): string | undefined {
    const { metadata, clock } = this.#needs
    return metadata.dialect === 'sqlite' ? undefined : toIso(clock.now() - SETTLED_AFTER_MS)
  }
}

/** The line that was read last is no longer kept, so that some after it may be gone too; nobody has counted them. */
const SKIPPED: ServerEvent = { event: 'skipped', data: { count: null } }

/** `isMasked`: nothing is shown that may quote a record. */
function toLine(row: LogRow, isMasked: boolean): LogLine {
  const { id, created_at: time, level, node_id: nodeId, message, run_id: runId } = row
  return { id, time, level, nodeId, message: isMasked ? MASK_TEXT : message, runId }
}

/** Tells when there may be new lines. */
class News {
  readonly #clock: Clock
  readonly #unsubscribe: () => void
  #isNews = false
  #wake = () => {}

  constructor(bus: Bus, clock: Clock, pipelineId: string) {
    this.#clock = clock
    this.#unsubscribe = bus.subscribe('pipeline-log.written', ({ id }) => {
      if (id !== pipelineId) return
      this.#isNews = true
      this.#wake()
    })
  }

  async wait(signal: AbortSignal): Promise<void> {
    const waiting = Promise.withResolvers<void>()
    const wake = () => waiting.resolve()
    this.#wake = wake
    const cancel = this.#clock.after(POLL_MS, wake)
    signal.addEventListener('abort', wake)
    if (!this.#isNews && !signal.aborted) await waiting.promise
    signal.removeEventListener('abort', wake)
    cancel()
    this.#isNews = false
  }

  close(): void {
    this.#unsubscribe()
  }
}
