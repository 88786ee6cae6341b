import type { Clock } from '../../../engines/clock.ts'
import { Problem } from '../../../errors.ts'
import type { Failure } from './readings.ts'

/** How long one question may take. */
export const ASK_MS = 10_000

interface Needs {
  readonly clock: Clock
  readonly log: { error(facts: object, message: string): void }
}

const MAX_SENTENCE_CHARS = 2000

/** Text that may hold anything, as both databases take it: one that refused it would end the evaluation of all rules. */
export const storable = (text: string): string =>
  text.toWellFormed().replaceAll('\0', '\ufffd').slice(0, MAX_SENTENCE_CHARS).toWellFormed()

/**
 * Asks within a time limit. Whatever goes wrong becomes a failure with words for people: one source that is away must not
 * keep other rules from being evaluated.
 */
export async function asked<T>(
  { clock, log }: Needs,
  subject: string,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<T>
): Promise<T | Failure> {
  const late = new AbortController()
  const cancel = clock.after(ASK_MS, () => late.abort())
  try {
    return await ask(AbortSignal.any([signal, late.signal]))
  } catch (error) {
    if (signal.aborted) throw error
    if (late.signal.aborted) {
      return { error: `${subject} took longer than ${ASK_MS / 1000} s to answer.`, cause: `${subject}: query_timeout` }
    }
    if (error instanceof Problem) return { error: storable(error.detail), cause: `${subject}: ${error.code}` }
    log.error({ err: error, subject }, 'an alert rule can’t be evaluated')
    return { error: `${subject} can’t be read, for a reason that is in the log.`, cause: `${subject}: internal_error` }
  } finally {
    cancel()
  }
}
