import type { Clock } from '../../engines/clock.ts'
import type { CopyProgress } from '../../engines/objects/disk/backup.ts'

const QUIET_MS = 3000
const EVERY_MS = 1000
const MIB = 1024 * 1024

export interface Progress extends CopyProgress {
  /** In words; undefined where there was nothing to do. */
  total(): string | undefined
}

/** Runs `work` and tells on stderr once a second how far it is, if it takes long. */
export async function withProgress<T>(clock: Clock, work: (progress: Progress) => Promise<T>): Promise<T> {
  const all = { count: 0, sizeBytes: 0 }
  const done = { count: 0, sizeBytes: 0 }
  let cancel = clock.after(QUIET_MS, tell)
  function tell(): void {
    const bytes = `${toMib(done.sizeBytes)} of ${toMib(all.sizeBytes)} MiB`
    console.error(all.count === 0 ? '  preparing' : `  ${done.count} of ${all.count} objects, ${bytes}`)
    cancel = clock.after(EVERY_MS, tell)
  }
  try {
    return await work({
      expect(count, sizeBytes) {
        all.count += count
        all.sizeBytes += sizeBytes
      },
      advance(sizeBytes) {
        done.count++
        done.sizeBytes += sizeBytes
      },
      total: () => (all.count === 0 ? undefined : `${all.count} objects in files, ${all.sizeBytes} bytes`)
    })
  } finally {
    cancel()
  }
}

const toMib = (sizeBytes: number) => Math.round(sizeBytes / MIB)
