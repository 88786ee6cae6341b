import { type Entry, knownSource } from '../../src/engines/drivers/index.ts'
import { createOutbound } from '../../src/engines/outbound/index.ts'
import { judge } from '../support/lines.ts'
import { median } from '../support/servers.ts'
import { entryFor, startService } from './start-service.ts'

const RECORDS = 100_000
const ROUNDS = 7

/** 100,000 records over HTTP, page by page, beside a loop of `fetch` that parses the same. In turn, medians. */
export async function readingPart(): Promise<boolean> {
  const service = await startService()
  try {
    const bare: number[] = []
    const declared: number[] = []
    // One more, which is not counted: all are warm then.
    for (let round = 0; round <= ROUNDS; round++) {
      bare.push(await timed(() => readBare(service.port)))
      declared.push(await timed(() => readDeclared(entryFor(service.port))))
    }
    const [bareMs, declaredMs] = [median(bare.slice(1)), median(declared.slice(1))]
    return judge([
      {
        what: '100,000 records of a declared source',
        figure: `${Math.round(declaredMs)} ms`,
        beside: `a loop of fetch ${Math.round(bareMs)} ms`,
        ratio: bareMs / declaredMs,
        floor: 0.7
      }
    ])
  } finally {
    await service.stop()
  }
}

async function timed(read: () => Promise<number>): Promise<number> {
  const startedMs = performance.now()
  const records = await read()
  if (records !== RECORDS) throw new Error(`${records} records were read`)
  return performance.now() - startedMs
}

async function readBare(port: number): Promise<number> {
  let records = 0
  for (let page = 1; ; page++) {
    const answer = await fetch(`http://127.0.0.1:${port}/orders?pages=100&size=1000&page=${page}`)
    const { data } = (await answer.json()) as { data: unknown[] }
    if (data.length === 0) return records
    records += data.length
  }
}

async function readDeclared(entry: Entry): Promise<number> {
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  const source = await knownSource(entry.id, entry)
  const opened = await source?.driver.open({ token: 'x' }, source.facts, { outbound, packagesFolder: '' })
  let records = 0
  const signal = new AbortController().signal
  for await (const { rows } of opened?.read({ stream: 'orders', signal }) ?? []) records += rows
  await opened?.close()
  await outbound.close()
  return records
}
