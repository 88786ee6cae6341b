import type { Clock } from '../engines/clock.ts'
import type { Log } from '../engines/log.ts'
import type { Problem } from '../errors.ts'

const SUMMED_FOR_MS = 60_000
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
  readonly #needs: Needs
  /** How many failures of a code were not logged yet. */
  readonly #untold = new Map<string, number>()

  constructor(needs: Needs) {
    this.#needs = needs
  }

  tell(problem: Problem, requestId: string): void {
    const { log } = this.#needs
    const { code } = problem
    if (problem.status !== TRY_LATER) {
      log.failure(problem, requestId)
      return
    }
    const untold = this.#untold.get(code)
    if (untold !== undefined) {
      this.#untold.set(code, untold + 1)
      return
    }
    const cause = problem.cause instanceof Error ? problem.cause.message : undefined
    log.warn({ requestId, code, detail: problem.detail, cause }, problem.message)
    this.#sumLater(code)
  }

  #sumLater(code: string): void {
    const { clock, log } = this.#needs
    this.#untold.set(code, 0)
    clock.after(SUMMED_FOR_MS, () => {
      const count = this.#untold.get(code) as number
      this.#untold.delete(code)
      if (count === 0) return
      log.warn({ code, count, seconds: SUMMED_FOR_MS / 1000 }, 'requests were refused for this reason again')
      this.#sumLater(code)
    })
  }
}
