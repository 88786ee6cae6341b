import { startTestApp } from '../../test/support/app.ts'
import { judge, type Line } from '../support/lines.ts'
import { median } from '../support/servers.ts'

const ROUNDS = 50
const MAX_MS = 10

/** The first page of the catalogue, and a search through all of it. */
export async function catalogPart(): Promise<boolean> {
  const test = await startTestApp({})
  try {
    const lines: Line[] = []
    for (const [what, query] of [
      ['The first page of all sources', ''],
      ['A search through all sources', '?q=mail']
    ] as const) {
      const tookMs: number[] = []
      for (let round = 0; round <= ROUNDS; round++) {
        const startedMs = performance.now()
        await test.call('GET', `/api/integration/sources${query}`, { as: 'viewer' })
        tookMs.push(performance.now() - startedMs)
      }
      const ms = median(tookMs.slice(1))
      lines.push({ what, figure: `${ms.toFixed(1)} ms`, beside: `${MAX_MS} ms`, ratio: MAX_MS / ms, floor: 1 })
    }
    return judge(lines)
  } finally {
    await test.close()
  }
}
