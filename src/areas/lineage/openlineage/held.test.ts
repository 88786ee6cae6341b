import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { seeded } from '../../../engines/seeded-random.ts'
import { GraphDatabase } from '../testing/graph-database.ts'
import { assertHeld, assertStates, shuffled } from './testing/held.ts'
import { simulate } from './testing/simulate.ts'
import { facet, runEvent, sightingBy, table } from './testing/told.ts'

const numRuns = process.env.TEST_POSTGRES_URL === undefined ? 25 : 5

describe('what is kept of the events of producers', () => {
  let graph: GraphDatabase
  before(async () => {
    graph = await GraphDatabase.open()
  })
  after(() => graph.close())

  it('is what the naive model says, at any time, in whatever order they came', async () => {
    const property = fc.asyncProperty(fc.nat(100_000), fc.integer({ min: 1, max: 150 }), async (seed, size) => {
      const events = simulate(seed, size)
      const random = seeded(seed)
      const isOrdered = random() < 0.3
      // Some are sent twice.
      const sent = isOrdered ? events : shuffled([...events, ...events.filter(() => random() < 0.1)], random)
      await graph.empty()
      for (let at = 0; at < sent.length; at += 20) {
        const some = sent.slice(at, at + 20).map(sightingBy)
        await graph.metadata.transaction((tx) => graph.lineage.saw(tx, some))
      }
      const times = events.map(({ eventTime }) => Date.parse(eventTime))
      const asked = [times[Math.floor(random() * size)] as number, (times[0] as number) - 1, times.at(-1) as number]
      await assertHeld(graph, events, asked)
      await assertStates(graph, events)
    })
    await fc.assert(property, { numRuns })
  })

  it('has runs that have ended, where all starts come after all ends, at whatever time they say', async () => {
    const property = fc.asyncProperty(fc.nat(100_000), fc.integer({ min: 1, max: 80 }), async (seed, size) => {
      const random = seeded(seed)
      const isStart = ({ eventType }: { eventType: string }) => eventType === 'START' || eventType === 'RUNNING'
      // Clocks of producers differ: some say that they have started after their end.
      const events = simulate(seed, size).map((event) =>
        isStart(event) && random() < 0.5
          ? { ...event, eventTime: new Date(Date.parse(event.eventTime) + 3_600_000).toISOString() }
          : event
      )
      const sent = [...events.filter((event) => !isStart(event)), ...events.filter(isStart)]
      await graph.empty()
      for (let at = 0; at < sent.length; at += 20) {
        const some = sent.slice(at, at + 20).map(sightingBy)
        await graph.metadata.transaction((tx) => graph.lineage.saw(tx, some))
      }
      await assertStates(graph, events)
    })
    await fc.assert(property, { numRuns })
  })

  it('has room for names that are as long as they may be', async () => {
    const random = seeded(1)
    // Random, because what repeats is compressed.
    const long = (bytes: number) =>
      Array.from({ length: bytes / 2 }, () => String.fromCharCode(0xa1 + random() * 0x6ff)).join('')
    const [from, to, runId] = [long(1000), long(1000), long(1000)]
    const fields = { [to]: { inputFields: [{ ...table(long(1000)), field: from }] } }
    const job = { namespace: 'n'.repeat(600), name: long(1000) }
    const event = runEvent({ job, run: { runId }, outputs: [table(long(1000), { columnLineage: facet({ fields }) })] })
    await graph.empty()
    await graph.metadata.transaction((tx) => graph.lineage.saw(tx, [sightingBy(event)]))
    const { mappings } = await graph.periods()
    assert.deepEqual(
      mappings.map((row) => [row.from_column, row.to_column]),
      [[from, to]]
    )
  })
})
