import type { Clock } from './engines/clock.ts'
import type { Jobs } from './engines/jobs/index.ts'
import type { ScrubStep } from './engines/scrub-state.ts'

const EVERY_MS = 3600_000
/** A job may take ten minutes; the next one goes on where this one ends. */
const LIMIT_MS = 5 * 60_000
const STEP_BYTES = 4 * 1024 * 1024
/** So slowly that nobody notices: 10 MB/s. */
const STEP_MS = 400

/** Something on this disk that can be looked at bit by bit. */
export interface Scrubbed {
  scrub(maxBytes: number): Promise<ScrubStep>
}

/** Reads all that is on the disk once a week and compares it with its checksums: what nobody reads is damaged unseen. */
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
