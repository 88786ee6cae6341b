import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seriesContract } from '../testing/contract.ts'
import { openDuckdb } from './index.ts'
import type { Sizes } from './settings.ts'

function contract(name: string, sizes: Partial<Sizes>): void {
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
      const series = await open('0')
      return {
        series,
        // What lies on the disk while it runs is what a crash leaves.
        async restart() {
          cpSync(join(folder, String(restarts)), join(folder, String(restarts + 1)), { recursive: true })
          await series.close()
          return open(String(++restarts))
        },
        stop: async () => rmSync(folder, { recursive: true, force: true })
      }
    }
  })
}

contract('memory', {})
contract('memory and files, all the time sealing and merging', { generationPoints: 64 })
