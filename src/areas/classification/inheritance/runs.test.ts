import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { InheritanceWorld } from '../testing/inheritance-world.ts'

const [PEOPLE, ORDERS, WIDE] = ['people.csv', 'orders.csv', 'wide.csv'].map((name) => `object://b/${name}`) as [
  string,
  string,
  string
]
const JOB = 'job://test/join'

describe('what data inherit from runs', () => {
  let world: InheritanceWorld
  before(async () => {
    world = await InheritanceWorld.open()
  })
  beforeEach(() => world.empty())
  after(() => world.close())

  const inherited = () => world.inherited()

  it('stays with what a job had written before it told of columns', async () => {
    await world.label(PEOPLE, 'confidential', ['email'])
    await world.run(JOB, [PEOPLE], [WIDE])
    assert.deepEqual(await inherited(), ['wide.csv * confidential'])
    await world.run(
      JOB,
      [PEOPLE],
      [WIDE],
      [
        {
          from: { reference: PEOPLE, column: 'email' },
          to: { reference: WIDE, column: 'contact' },
          kind: 'masked'
        }
      ]
    )
    assert.deepEqual(await inherited(), ['wide.csv * confidential'])
  })

  it('comes to what a run has written that is told late, and to each of many that are told at once', async () => {
    const told = (day: number) => ({
      job: { reference: JOB },
      run: { id: `run ${day}`, state: 'completed' as const, timeMs: day, isWhole: true },
      inputs: [{ reference: PEOPLE }],
      outputs: [{ reference: `object://b/${day}.csv` }],
      columns: [],
      provenance: { how: 'openlineage' as const, who: 'a test' }
    })
    await world.label(PEOPLE, 'confidential')
    await world.change((tx) => world.graph.lineage.saw(tx, [told(2)]))
    await world.follow()
    await world.change((tx) => world.graph.lineage.saw(tx, [told(1)]))
    assert.deepEqual(await inherited(), ['1.csv * confidential', '2.csv * confidential'])
    await world.change((tx) => world.graph.lineage.saw(tx, [told(3), told(4), told(5)]))
    assert.deepEqual(
      await inherited(),
      [1, 2, 3, 4, 5].map((day) => `${day}.csv * confidential`)
    )
  })

  it('comes to what the same run has written, and not to what runs before and after it have', async () => {
    const daily = (day: number) => ({
      job: JOB,
      inputs: [`object://b/raw-${day}.csv`],
      outputs: [`object://b/tidy-${day}.csv`],
      columns: [],
      lasts: 'long' as const
    })
    for (let day = 1; day <= 4; day++) await world.runs([daily(day)])
    await world.label('object://b/raw-2.csv', 'confidential')
    assert.deepEqual(await inherited(), ['tidy-2.csv * confidential'])
    // While a run is under way, nobody knows what it will write.
    await world.label('object://b/raw-5.csv', 'confidential')
    await world.runs([{ ...daily(5), outputs: [], lasts: 'until it breaks off' }])
    assert.deepEqual(await inherited(), ['tidy-2.csv * confidential', 'tidy-4.csv * confidential'])
    await world.runs([{ ...daily(6), inputs: ['object://b/raw-2.csv', 'object://b/raw-6.csv'], lasts: 'a moment' }])
    assert.deepEqual(await inherited(), ['tidy-2.csv * confidential', 'tidy-6.csv * confidential'])
  })

  it('comes to what each of several runs at the same moment has written, told together or not', async () => {
    const told = (name: string, number: number) => ({
      job: { reference: JOB },
      run: { id: `${name} ${number}`, state: 'completed' as const, timeMs: 1000, isWhole: true },
      inputs: [{ reference: PEOPLE }],
      outputs: [{ reference: `object://b/${name}-${number}.csv` }],
      columns: [],
      provenance: { how: 'openlineage' as const, who: 'a test' }
    })
    await world.label(PEOPLE, 'confidential')
    await world.change((tx) =>
      world.graph.lineage.saw(
        tx,
        [1, 2, 3].map((number) => told('a', number))
      )
    )
    for (const number of [1, 2, 3]) await world.change((tx) => world.graph.lineage.saw(tx, [told('b', number)]))
    // Whoever says that the job did something harmless at that moment takes nothing away.
    const harmless = {
      ...told('z', 1),
      inputs: [{ reference: ORDERS }],
      outputs: [{ reference: 'object://b/a-1.csv' }]
    }
    await world.change((tx) => world.graph.lineage.saw(tx, [harmless]))
    assert.deepEqual(
      await inherited(),
      ['a-1', 'a-2', 'a-3', 'b-1', 'b-2', 'b-3'].map((name) => `${name}.csv * confidential`)
    )
  })
})
