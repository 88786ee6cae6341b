import type { Selectable, Updateable } from 'kysely'
import { toIso } from '../clock.ts'
import type { JobError } from './index.ts'
import { BACKOFF_JITTER, FIRST_BACKOFF_MS, MAX_BACKOFF_MS } from './limits.ts'
import type { JobsTable } from './table.ts'

/** How an attempt ended. */
export type Outcome =
  | { readonly end: 'succeeded'; readonly result: string }
  | { readonly end: 'failed'; readonly error: JobError; readonly permanent: boolean }
  /** The run was asked to stop, by a cancellation or a shutdown; the row tells which. */
  | { readonly end: 'stopped' }
  /** The replica did not renew its lease in time. */
  | { readonly end: 'lapsed' }

export type Standing = Pick<
  Selectable<JobsTable>,
  'attempts' | 'max_attempts' | 'deadline_at' | 'cancel_requested' | 'every_ms'
>

export type Change = Updateable<JobsTable>

const FREE = { lease_owner: null, lease_until: null } as const

const LEASE_EXPIRED: JobError = {
  code: 'lease_expired',
  message: 'The replica that ran this stopped answering; nothing is known of how far it came'
}

export const DEADLINE_EXCEEDED: JobError = {
  code: 'deadline_exceeded',
  message: 'The deadline passed before the job had succeeded'
}

/** What a running job becomes once its attempt has ended. `chance` is a random number from 0 to 1. */
export function settled(job: Standing, outcome: Outcome, nowMs: number, chance: number): Change {
  if (outcome.end === 'succeeded') return succeeded(job, outcome.result, nowMs)
  if (job.cancel_requested === 1) return { ...FREE, state: 'cancelled', finished_at: toIso(nowMs) }
  if (outcome.end === 'stopped') return { ...queuedAgain(nowMs), attempts: job.attempts - 1 }

  const lapsed = outcome.end === 'lapsed'
  const error = lapsed ? LEASE_EXPIRED : outcome.error
  const retryMs = nowMs + (lapsed ? 0 : backoffMs(job.attempts, chance))
  const last = (!lapsed && outcome.permanent) || job.attempts >= job.max_attempts
  if (job.every_ms !== null) return recurring(job.every_ms, error, last ? undefined : retryMs, nowMs)
  if (last || (job.deadline_at !== null && job.deadline_at <= toIso(retryMs))) return failed(error, nowMs)
  return { ...queuedAgain(retryMs), error: JSON.stringify(error) }
}

export function failed(error: JobError, nowMs: number): Change {
  return { ...FREE, state: 'failed', error: JSON.stringify(error), finished_at: toIso(nowMs) }
}

/**
 * Exponential from 1 s to 5 min, give or take a fifth, so that jobs which failed together are not all tried again
 * together.
 */
export function backoffMs(attempts: number, chance: number): number {
  const exact = FIRST_BACKOFF_MS * 2 ** (attempts - 1) * (1 + BACKOFF_JITTER * (2 * chance - 1))
  return Math.round(Math.min(exact, MAX_BACKOFF_MS))
}

function succeeded(job: Standing, result: string, nowMs: number): Change {
  const outcome = { result, error: null, progress_permille: 1000 }
  if (job.every_ms !== null) return { ...queuedAgain(nowMs + job.every_ms), ...outcome, attempts: 0 }
  return { ...FREE, ...outcome, state: 'succeeded', finished_at: toIso(nowMs) }
}

/** A recurring job is tried again soon after a failure, and at its next time in any case. */
function recurring(everyMs: number, error: JobError, retryMs: number | undefined, nowMs: number): Change {
  const next = nowMs + everyMs
  const change = { ...queuedAgain(Math.min(retryMs ?? next, next)), error: JSON.stringify(error) }
  return retryMs === undefined ? { ...change, attempts: 0 } : change
}

function queuedAgain(runAtMs: number): Change {
  return { ...FREE, state: 'queued', run_at: toIso(runAtMs) }
}
