import type { Bus } from '../../../engines/bus/index.ts'
import type { Clock } from '../../../engines/clock.ts'
import type { MakeId } from '../../../engines/ids.ts'
import type { Log } from '../../../engines/log.ts'
import type { Metadata } from '../../../engines/metadata/index.ts'
import type { LogLine } from '../protocol/run-spec.ts'
import type { LogRow } from '../store/rows.ts'

const FLUSH_AFTER_MS = 200
const MAX_MESSAGE_CHARS = 2000
/** Lines that wait to be written; beyond it the oldest are counted instead. */
const MAX_WAITING = 5000

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly bus: Bus
  readonly log: Log
}

/** Lines of pipelines on their way into the database, many at a time. */
export class LogKeeper {
  readonly #needs: Needs
  #waiting: LogRow[] = []
  #writing: Promise<void> | undefined
  #flushed: Promise<void> = Promise.resolve()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  add({ pipelineId, runId }: { pipelineId: string; runId: string }, { level, node, message }: LogLine): void {
    const { clock, makeId } = this.#needs
    if (this.#waiting.length >= MAX_WAITING) this.#waiting.shift()
    this.#waiting.push({
      id: makeId('line'),
      pipeline_id: pipelineId,
      run_id: runId,
      level,
      node_id: node,
      message: message.slice(0, MAX_MESSAGE_CHARS),
      created_at: clock.iso()
    })
    this.#writing ??= this.#soon()
  }

  /** Writes what waits, after what is being written: lines stay in their order. */
  flush(): Promise<void> {
    this.#flushed = this.#flushed.then(() => this.#write())
    return this.#flushed
  }

  async #write(): Promise<void> {
    const rows = this.#waiting.splice(0)
    if (rows.length === 0) return
    try {
      await this.#needs.metadata.transaction(async (tx) => {
        for (let from = 0; from < rows.length; from += 100) {
          await tx
            .insertInto('pipeline_logs')
            .values(rows.slice(from, from + 100))
            .execute()
        }
      })
      for (const id of new Set(rows.map((row) => row.pipeline_id)))
        this.#needs.bus.publish({ type: 'pipeline-log.written', id })
    } catch (error) {
      // The pipeline may be gone by now, and its lines with it.
      this.#needs.log.warn({ err: error }, 'log lines of pipelines could not be kept')
    }
  }

  async #soon(): Promise<void> {
    await new Promise<void>((resolve) => this.#needs.clock.after(FLUSH_AFTER_MS, resolve))
    this.#writing = undefined
    await this.flush()
  }
}
