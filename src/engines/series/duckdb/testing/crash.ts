import { cpSync, rmSync } from 'node:fs'
import { inspectSeries } from '../inspect.ts'

/** What lies on the disk while it runs is what a crash leaves, unless files have come and gone while they were copied. */
export function copyOfCrash(from: string, to: string): void {
  for (;;) {
    rmSync(to, { recursive: true, force: true })
    try {
      cpSync(from, to, { recursive: true })
      if (inspectSeries(to).faults.length === 0) return
    } catch {
      // a file that was to be copied is gone, or the index was being written
    }
  }
}
