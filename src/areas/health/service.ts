import type { Clock } from '../../engines/clock.ts'
import type { Log } from '../../engines/log.ts'
import { DatabaseTrouble, isUnavailable } from '../../engines/metadata/index.ts'
import { failingWith, within } from '../../engines/timing.ts'
import { NOT_LOOKED_AT } from '../../health-words.ts'
import type { HealthCheck } from '../../http/health-check.ts'
import { HealthProblem } from '../../http/health-problem.ts'
import type { Lifecycle } from '../../http/lifecycle.ts'
import { CheckLog } from './check-log.ts'
import type { Check, Health } from './schema.ts'

const REUSED_FOR_MS = 1000
const CHECK_TIMEOUT_MS = 3000
const SILENT = 'does not answer'

interface Needs {
  readonly clock: Clock
  readonly lifecycle: Lifecycle
  readonly version: string
  readonly checks: readonly HealthCheck[]
  /** Gets the reasons of failed checks: the answer itself needs no token and must not name hosts and users. */
  readonly log: Pick<Log, 'info' | 'warn'>
}

interface Finding {
  readonly atMs: number
  readonly health: Health
}

export class HealthService {
  readonly #needs: Needs
  readonly #startedMs: number
  readonly #checkLog: CheckLog
  #last: Finding | undefined
  #running: Promise<Health> | undefined

  constructor(needs: Needs) {
    this.#needs = needs
    this.#startedMs = needs.clock.elapsed()
    this.#checkLog = new CheckLog(needs)
  }

  /** Answers at once with results of the last second, so that frequent requests cost nothing. */
  health(): Health | Promise<Health> {
    if (this.#last !== undefined && this.#needs.clock.elapsed() - this.#last.atMs < REUSED_FOR_MS)
      return this.#last.health
    this.#running ??= this.#check().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  async isReady(): Promise<boolean> {
    return this.#needs.lifecycle.phase === 'ready' && (await this.health()).status !== 'down'
  }

  async #check(): Promise<Health> {
    const { checks, version, clock } = this.#needs
    const results = await Promise.all(checks.map(async (check) => ({ check, result: await this.#run(check) })))
    const down = results.some(({ check, result }) => check.vital && result.status === 'down')
    const degraded = results.some(({ result }) => result.status !== 'ok')
    const health: Health = Object.freeze({
      status: down ? 'down' : degraded ? 'degraded' : 'ok',
      version,
      uptime: (clock.elapsed() - this.#startedMs) / 1000,
      checks: Object.fromEntries(results.map(({ check, result }) => [check.name, result]))
    })
    this.#last = { atMs: clock.elapsed(), health }
    return health
  }

  async #run(check: HealthCheck): Promise<Check> {
    const startedMs = performance.now()
    const elapsed = () => Math.round((performance.now() - startedMs) * 10) / 10
    try {
      await within(this.#needs.clock, CHECK_TIMEOUT_MS, check.run(), failingWith(SILENT))
      const result: Check = { status: 'ok', ms: elapsed() }
      this.#checkLog.take(check.name, result)
      return result
    } catch (error) {
      const words = wordsOf(check, error)
      const isTold = words !== undefined
      const result: Check = {
        status: check.vital ? 'down' : 'degraded',
        ms: elapsed(),
        message: words ?? `${check.name} does not work as it should`
      }
      return { ...result, since: this.#checkLog.take(check.name, result, { error, isTold }) as string }
    }
  }
}

/** A message that anybody may read; undefined for an error that was not foreseen. */
function wordsOf({ name, vital }: HealthCheck, error: unknown): string | undefined {
  if (error instanceof HealthProblem || error instanceof DatabaseTrouble) return (error as Error).message
  if ((error as Error).message === SILENT) {
    return `${name} did not answer within ${CHECK_TIMEOUT_MS / 1000} s${vital ? '' : ': if metadata is not ok either, that is why'}`
  }
  // An error of SQLite may be about a file of objects or points rather than the database.
  const isAway = isUnavailable(error) && (error as { code?: unknown }).code !== 'ERR_SQLITE_ERROR'
  return !vital && isAway ? `${name} ${NOT_LOOKED_AT}` : undefined
}
