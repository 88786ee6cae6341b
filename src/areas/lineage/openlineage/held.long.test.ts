import { after, before, describe, it } from 'node:test'
import { seeded } from '../../../engines/seeded-random.ts'
import { GraphDatabase } from '../testing/graph-database.ts'
import { assertHeld, assertStates, shuffled } from './testing/held.ts'
import { simulate } from './testing/simulate.ts'
import { sightingBy } from './testing/told.ts'

const EVENTS = 10_000
const AT_ONCE = 100

describe('ten thousand events of Airflow, Spark and dbt', () => {
  let graph: GraphDatabase
  before(async () => {
    graph = await GraphDatabase.open()
  })
  after(() => graph.close())

  it('make the right graph in any order, one in ten sent twice', async () => {
    const events = simulate(3, EVENTS)
    const random = seeded(4)
    const sent = shuffled([...events, ...events.filter(() => random() < 0.1)], random)
    for (let at = 0; at < sent.length; at += AT_ONCE) {
      const some = sent.slice(at, at + AT_ONCE).map(sightingBy)
      await graph.metadata.transaction((tx) => graph.lineage.saw(tx, some))
    }
    const times = events.map(({ eventTime }) => Date.parse(eventTime))
    await assertHeld(
      graph,
      events,
      [0.2, 0.5, 0.8, 0.9999].map((part) => times[Math.floor(part * EVENTS)] as number)
    )
    await assertStates(graph, events)
  })
})
