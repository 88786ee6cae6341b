import type { Clock } from './engines/clock.ts'
import type { Log } from './engines/log.ts'
import { LogSums } from './engines/log-sums.ts'
import { isUnavailable } from './engines/metadata/index.ts'

/**
 * A log in which a database that is away is told once by each that meets it, and then as a sum a minute: whatever works in the
 * background tries again every second.
 */
export function withOutagesSummed(log: Log, clock: Pick<Clock, 'after'>): Log {
  const sums = new LogSums(clock)
  const summed = (level: 'warn' | 'error') => (fields: object, message: string) => {
    const { err } = fields as { readonly err?: unknown }
    if (!(err instanceof Error && isUnavailable(err))) {
      log[level](fields, message)
      return
    }
    const { message: reason } = err
    sums.note(
      `${message} ${reason}`,
      () => log[level](fields, message),
      (sum) => log[level]({ reason, ...sum }, `again: ${message}`)
    )
  }
  return { ...log, warn: summed('warn'), error: summed('error') }
}
