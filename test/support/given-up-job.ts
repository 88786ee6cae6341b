import { toIso } from '../../src/engines/clock.ts'

/** A job of a kind that was given up, which rules can be about. */
export function givenUpJob(id: string, kind: string, nowMs: number) {
  const at = toIso(nowMs)
  return {
    id,
    kind,
    unique_key: null,
    state: 'failed' as const,
    payload: 'null',
    run_at: at,
    every_ms: null,
    max_attempts: 1,
    timeout_ms: 1000,
    deadline_at: null,
    lease_owner: null,
    lease_until: null,
    progress_note: null,
    result: null,
    error: null,
    created_at: at,
    started_at: at,
    // The event lasts for an hour, longer than any test.
    finished_at: toIso(nowMs + 30 * 86_400_000)
  }
}
