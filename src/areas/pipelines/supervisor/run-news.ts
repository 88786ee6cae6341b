import type { Bus } from '../../../engines/bus/index.ts'
import type { Log } from '../../../engines/log.ts'
import type { LogLine } from '../protocol/run-spec.ts'
import type { RunError } from '../store/rows.ts'
import type { LogKeeper } from './log-keeper.ts'
import type { Held } from './runs.ts'

interface Needs {
  /** Of the server, for whoever looks after all pipelines. */
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly logs: LogKeeper
  readonly bus: Bus
}

/** What is told of one run: in the log of its pipeline, in that of the server, and on the bus. */
export class RunNews {
  readonly #held: Held
  readonly #needs: Needs

  constructor(held: Held, needs: Needs) {
    this.#held = held
    this.#needs = needs
  }

  /** In the log of the pipeline. */
  log(line: LogLine): void {
    this.#needs.logs.add(this.#held, line)
  }

  /** In the log of the pipeline, about no node in particular. */
  note(level: LogLine['level'], message: string): void {
    this.log({ level, node: null, message })
  }

  /** In the log of the server. */
  tell(level: 'info' | 'warn', what: string, error?: RunError): void {
    const { pipelineId, runId } = this.#held
    this.#needs.log[level]({ pipelineId, runId, ...error }, what)
  }

  /** On the bus. */
  ended(status: string): void {
    const { pipelineId, runId } = this.#held
    this.#needs.bus.publish({ type: 'pipeline-run.ended', id: runId, pipelineId, status })
  }
}
