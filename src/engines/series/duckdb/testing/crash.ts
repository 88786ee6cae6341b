import { cpSync, rmSync } from 'node:fs'
import { inspectSeries } from '../inspect.ts'

/**
 * Copies the files of a running engine: that is what a crash would leave. Tries again where files changed meanwhile.
 */
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
