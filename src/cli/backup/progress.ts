import type { Clock } from '../../engines/clock.ts'
import type { CopyProgress } from '../../engines/objects/disk/backup.ts'
import type { Amount } from '../../engines/series/duckdb/backup.ts'

const QUIET_MS = 3000
const EVERY_MS = 1000
const MIB = 1024 * 1024
const NOTHING: Amount = { count: 0, sizeBytes: 0 }

export interface Progress {
  readonly objects: CopyProgress
  /** Reports how many files of points are done, and how many there are. */
  points(done: Amount, all: Amount): void
  /** The total amounts, in words. */
  totals(): string[]
}

/** Runs `work`; if it takes long, prints the progress on stderr once a second. */
export async function withProgress<T>(clock: Clock, work: (progress: Progress) => Promise<T>): Promise<T> {
  const objects = { done: NOTHING, all: NOTHING }
  let points = { done: NOTHING, all: NOTHING }
  let cancel = clock.after(QUIET_MS, tell)
  function tell(): void {
    // Points come after objects.
    const current = points.all.count > 0 ? describe(points, 'files of points') : describe(objects, 'objects')
    console.error(`  ${current}`)
    cancel = clock.after(EVERY_MS, tell)
  }
  try {
    return await work({
      objects: {
        expect(count, sizeBytes) {
          objects.all = plus(objects.all, { count, sizeBytes })
        },
        advance(sizeBytes) {
          objects.done = plus(objects.done, { count: 0, sizeBytes })
        },
        finish() {
          objects.done = plus(objects.done, { count: 1, sizeBytes: 0 })
        }
      },
      points(done, all) {
        points = { done, all }
      },
      totals: () => [...inTotal(objects.all, 'objects in files'), ...inTotal(points.all, 'files of points')]
    })
  } finally {
    cancel()
  }
}

function describe({ done, all }: { done: Amount; all: Amount }, what: string): string {
  if (all.count === 0) return 'preparing'
  return `${done.count} of ${all.count} ${what}, ${toMib(done.sizeBytes)} of ${toMib(all.sizeBytes)} MiB`
}

const inTotal = ({ count, sizeBytes }: Amount, what: string) =>
  count === 0 ? [] : [`${count} ${what}, ${sizeBytes} bytes`]

const plus = (a: Amount, b: Amount): Amount => ({ count: a.count + b.count, sizeBytes: a.sizeBytes + b.sizeBytes })

const toMib = (sizeBytes: number) => Math.round(sizeBytes / MIB)
