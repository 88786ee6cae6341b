import { knownSource } from '../../src/engines/drivers/index.ts'
import { createOutbound } from '../../src/engines/outbound/index.ts'
import { judge } from '../support/lines.ts'
import { entryFor, startService } from './start-service.ts'

const CONNECTORS = 50
const PAGES = 4
/** As many requests as the service permits in a second to all who call with the same credentials. */
const PER_SECOND = 50
const MAX_MB = 300

/** Fifty reads at once in this process: none gets more than its share, all together keep the budget, and memory is bounded. */
export async function fiftyPart(): Promise<boolean> {
  const service = await startService()
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  const rate = { requests: PER_SECOND, seconds: 1 }
  let peakMb = 0
  const watch = setInterval(() => {
    peakMb = Math.max(peakMb, process.memoryUsage.rss() / 2 ** 20)
  }, 50)
  try {
    const startedMs = performance.now()
    const read = async () => {
      const entry = entryFor(service.port, { rate })
      const source = await knownSource(entry.id, entry)
      const opened = await source?.driver.open({ token: 'x', pages: PAGES }, source.facts, {
        outbound,
        packagesFolder: ''
      })
      let records = 0
      const signal = new AbortController().signal
      for await (const { rows } of opened?.read({ stream: 'orders', signal }) ?? []) records += rows
      await opened?.close()
      return records
    }
    const records = await Promise.all(Array.from({ length: CONNECTORS }, read))
    const seconds = (performance.now() - startedMs) / 1000
    if (records.some((count) => count !== PAGES * 1000)) throw new Error('a read is not whole')
    const { asked } = (await (await fetch(`http://127.0.0.1:${service.port}/asked`)).json()) as { asked: number }
    return judge([
      {
        what: '50 connectors at once, requests a second',
        figure: (asked / seconds).toFixed(1),
        beside: `a budget of ${PER_SECOND} and one burst`,
        ratio: (PER_SECOND * (seconds + 1)) / asked,
        floor: 1
      },
      {
        what: '50 connectors at once, memory of the process',
        figure: `${Math.round(peakMb)} MB`,
        beside: `${MAX_MB} MB`,
        ratio: MAX_MB / peakMb,
        floor: 1
      }
    ])
  } finally {
    clearInterval(watch)
    await outbound.close()
    await service.stop()
  }
}
