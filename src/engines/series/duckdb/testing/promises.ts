import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seriesContract } from '../../testing/contract.ts'
import { openDuckdb } from '../index.ts'
import type { Sizes } from '../settings.ts'
import { copyOfCrash } from './crash.ts'

/** Runs the suite of all engines on this one. */
export function duckdbPromises(name: string, sizes: Partial<Sizes>): void {
  seriesContract(name, {
    missing: undefined,
    isExactCount: false,
    async start() {
      const folder = mkdtempSync(join(tmpdir(), 'millrace-series-'))
      let restarts = 0
      const open = (at: string) =>
        openDuckdb({
          folder: join(folder, at),
          sizes,
          onFailure: (error) => {
            throw error
          }
        })
      let series = await open('0')
      return {
        series,
        async restart() {
          copyOfCrash(join(folder, String(restarts)), join(folder, String(restarts + 1)))
          await series.close()
          series = await open(String(++restarts))
          return series
        },
        stop: async () => rmSync(folder, { recursive: true, force: true })
      }
    }
  })
}
