import type { Clock } from '../engines/clock.ts'
import type { Log } from '../engines/log.ts'
import { LogSums } from '../engines/log-sums.ts'
import type { Problem } from '../errors.ts'

const TRY_LATER = 503

interface Needs {
  readonly clock: Clock
  readonly log: Pick<Log, 'failure' | 'warn'>
}

/**
 * Logs requests that failed through no fault of the caller. That the server is busy, or lacks a setting or an engine,
 * is the same for every request: the first of each such code is logged at once, then a sum per minute. All others are
 * logged each time, with the place.
 */
export class FailureLog {
  readonly #log: Needs['log']
  readonly #sums: LogSums

  constructor({ clock, log }: Needs) {
    this.#log = log
    this.#sums = new LogSums(clock)
  }

  tell(problem: Problem, requestId: string): void {
    const { code, status, detail, message } = problem
    if (status !== TRY_LATER) {
      this.#log.failure(problem, requestId)
      return
    }
    const cause = problem.cause instanceof Error ? problem.cause.message : undefined
    this.#sums.note(
      code,
      () => this.#log.warn({ requestId, code, detail, cause }, message),
      (sum) => this.#log.warn({ code, ...sum }, 'requests were refused for this reason again')
    )
  }
}
