import { PermanentFailure } from './errors.ts'
import { boundedJson } from './json.ts'
import { MAX_MESSAGE_CHARS } from './limits.ts'
import { DEADLINE_EXCEEDED, type Outcome } from './transitions.ts'

/** What a worker answers whose job was ended by `Jobs.conclude`: there is nothing more to write. */
export const CONCLUDED = Symbol('concluded')

/** Why a run was asked to stop. */
export type StopReason = 'timeout' | 'deadline' | 'cancelled' | 'shutdown'

export function successOf(value: unknown): Outcome | undefined {
  if (value === CONCLUDED) return undefined
  const result = boundedJson(value)
  if (result !== undefined) return { end: 'succeeded', result }
  const message = 'The work was done, but its result is not JSON of at most 64 KiB; store it and answer its id'
  return { end: 'failed', error: { code: 'result_unfit', message }, permanent: true }
}

export function failureOf(error: unknown): Outcome {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  // Codes of the runtime and of databases mean nothing to readers of a job.
  const stable = typeof code === 'string' && /^[a-z][a-z0-9_]{0,63}$/.test(code) ? code : 'worker_failed'
  const text = typeof message === 'string' ? message : 'The worker threw something that is not an Error'
  return {
    end: 'failed',
    error: { code: stable, message: text.slice(0, MAX_MESSAGE_CHARS) },
    permanent: error instanceof PermanentFailure
  }
}

export function stopped(reason: StopReason): Outcome {
  if (reason === 'deadline') return { end: 'failed', error: DEADLINE_EXCEEDED, permanent: true }
  if (reason === 'timeout') {
    const message = 'The attempt took longer than it is allowed to'
    return { end: 'failed', error: { code: 'timeout', message }, permanent: false }
  }
  return { end: 'stopped' }
}
