import type { Clock } from '../../engines/clock.ts'
import type { Log } from '../../engines/log.ts'
import { Conditions, reasonsOf } from '../../http/conditions.ts'
import type { Check } from './schema.ts'

export interface Failure {
  readonly error: unknown
  /** Whether the answer of health shows the message: the log then adds only its cause. */
  readonly isTold: boolean
}

/** Logs how checks change: a change at once, a lasting failure once a minute. Knows since when each check fails. */
export class CheckLog {
  readonly #conditions: Conditions
  readonly #log: Pick<Log, 'info' | 'warn'>

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Pick<Log, 'info' | 'warn'> }) {
    this.#conditions = new Conditions(clock)
    this.#log = log
  }

  /** Takes the result of a check; answers since when the check is not ok. */
  take(check: string, { status, message }: Pick<Check, 'status' | 'message'>, failure?: Failure): string | undefined {
    const news = this.#conditions.take(check, message)
    if (news?.kind === 'ended') {
      const { since, lastedMs } = news
      this.#log.info({ check, since, lastedMs }, 'a health check is ok again')
    } else if (news !== undefined) {
      const { error, isTold } = failure as Failure
      const because = isTold && (error as Error).message === message ? (error as Error).cause : error
      const reason = because === undefined ? undefined : reasonsOf(because)
      const fields = { check, status, why: message, reason }
      if (news.kind === 'lasts') this.#log.warn({ ...fields, since: news.since }, 'a health check still fails')
      else this.#log.warn({ ...fields, err: isTold ? undefined : error }, 'a health check failed')
    }
    return this.#conditions.since(check)
  }
}
