// Once: no database.
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { createOutbound } from '../../outbound/index.ts'
import { type OpenSource, runSteps } from '../index.ts'
import { declaredIndex, loadEntry } from './catalogue/index.ts'
import { factsOf } from './catalogue/row.ts'
import { declaredDriver } from './driver.ts'
import type { Entry, StreamEntry } from './entry.ts'
import { HastyClock } from './testing/hasty-clock.ts'
import { prefixOf, replayedConfig, signInAnswer, simulatedStreams, testAnswer } from './testing/replayed.ts'
import type { SimulatedRequest } from './testing/simulated-page.ts'
import { Simulator } from './testing/simulator.ts'

const LIMIT_MS = 20_000

type Told = { readonly status: number; readonly body?: unknown } | undefined
const REFUSED = { status: 401, body: { message: 'Who are you?' } }
/** Its records and its sign-in are at two servers, both of which are settings and encrypted: no server of a test can be both. */
const AT_TWO_SERVERS = new Set(['greythr'])

describe('every entry that is shipped, replayed by its own paths, records and paging', () => {
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  after(() => outbound.close())

  type Simulated = ReturnType<typeof simulatedStreams>

  async function using<T>(
    entry: Entry,
    answers: (entry: Entry, asked: SimulatedRequest) => Told,
    work: (opened: OpenSource, simulator: Simulator, streams: Simulated) => Promise<T>
  ) {
    const streams = simulatedStreams(entry)
    const simulator = new Simulator(streams, {
      prefix: prefixOf(entry),
      instead: (asked) => answers(entry, asked)
    })
    const config = replayedConfig(entry, await simulator.start())
    const needs = { outbound, packagesFolder: '', clock: new HastyClock() }
    const opened = await declaredDriver(entry).open(config, factsOf(entry), needs)
    try {
      return await work(opened, simulator, streams)
    } finally {
      await opened.close()
      simulator.stop()
    }
  }

  async function eachEntry(work: (entry: Entry) => Promise<void>): Promise<void> {
    for (const { id } of await declaredIndex()) {
      const entry = await loadEntry(id)
      if (entry !== undefined && !AT_TWO_SERVERS.has(id)) await work(entry)
    }
  }

  it('its test succeeds, and says that credentials are wrong where they are', async () => {
    const wrong: string[] = []
    await eachEntry(async (entry) => {
      if (entry.check === undefined) return
      const good = await using(
        entry,
        (...asked) => signInAnswer(...asked) ?? testAnswer(...asked),
        ({ steps }, simulator, streams) => {
          simulator.meant = streams.find(({ name }) => name === entry.check)?.stream
          return runSteps(steps, LIMIT_MS)
        }
      )
      if (!good.success) wrong.push(`${entry.id}: ${good.message}`)
      if (entry.authentication.kind === 'none') return
      const bad = await using(
        entry,
        () => REFUSED,
        ({ steps }) => runSteps(steps, LIMIT_MS)
      )
      const code = bad.checks.find(({ ok }) => !ok)?.code
      if (code !== 'wrong_credentials') wrong.push(`${entry.id}: with wrong credentials ${code}: ${bad.message}`)
    })
    assert.deepEqual(wrong, [])
  })

  it('every stream of it that can be read gives its records', async () => {
    const wrong: string[] = []
    let streams = 0
    await eachEntry((entry) =>
      using(entry, signInAnswer, async (opened, simulator, all) => {
        for (const { name, stream } of all) {
          if (stream.unreadable !== undefined || isAskedWhereParentIs(stream, all)) continue
          simulator.meant = stream
          streams += 1
          const rows = await rowsOf(opened, name).catch((error: Error) => error)
          if (rows instanceof Error) wrong.push(`${entry.id}.${name}: ${rows.message}`)
          else if (rows === 0) wrong.push(`${entry.id}.${name}: no records`)
        }
      })
    )
    assert.ok(streams >= 4500, `${streams} streams were replayed`)
    assert.deepEqual(wrong, [])
  })
})

/** A simulator tells requests apart by their paths; those of GraphQL all go to one. */
function isAskedWhereParentIs({ each, path }: StreamEntry, all: ReturnType<typeof simulatedStreams>): boolean {
  if (each === undefined || !('stream' in each)) return false
  return all.some(({ name, stream }) => name === each.stream && stream.path === path)
}

async function rowsOf(opened: OpenSource, stream: string): Promise<number> {
  let count = 0
  for await (const { rows } of opened.read({ stream, limit: 50, signal: AbortSignal.timeout(LIMIT_MS) })) count += rows
  return count
}
