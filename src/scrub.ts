import type { Clock } from './engines/clock.ts'
import type { Jobs } from './engines/jobs/index.ts'
import type { ScrubStep } from './engines/scrub-state.ts'

const EVERY_MS = 3600_000
/** The limit of one job, which may take ten minutes; the next job goes on where this one ends. */
const LIMIT_MS = 5 * 60_000
const STEP_BYTES = 4 * 1024 * 1024
/** The pause between steps, so that nobody notices the reading: 10 MB/s. */
const STEP_MS = 400

/** Something on this disk that can be checked step by step. */
export interface Scrubbed {
  scrub(maxBytes: number): Promise<ScrubStep>
}

/**
 * Reads everything on the disk once a week and compares it with its checksums: damage in data that nobody reads would
 * go unseen.
 */
export function scrubRegularly(jobs: Jobs, clock: Clock, all: () => Promise<readonly Scrubbed[]>): void {
  jobs.every('disk.scrub', EVERY_MS, async ({ signal }) => {
    const endsMs = clock.elapsed() + LIMIT_MS
    for (const each of await all()) {
      for (;;) {
        if (signal.aborted || clock.elapsed() >= endsMs) return
        const { sizeBytes, isDone } = await each.scrub(STEP_BYTES)
        if (isDone) break
        await pause(clock, (STEP_MS * sizeBytes) / STEP_BYTES, signal)
      }
    }
  })
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve)
    signal.addEventListener(
      'abort',
      () => {
        cancel()
        resolve()
      },
      { once: true }
    )
  })
}
