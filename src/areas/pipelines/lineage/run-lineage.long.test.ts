import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { ColumnMapping, DataSeen } from '../../lineage/index.ts'
import type { PipelineNode } from '../contract/node-type.ts'
import type { RunLineage } from '../protocol/run-lineage.ts'
import { type NodeText, openWorkshop, type Workshop } from '../testing/workshop.ts'
import { lineageOfRun } from './run-lineage.ts'

const placeText = (place: ColumnMapping['from']): string => `${place.reference} ${place.column ?? '*'}`
const mappingText = ({ from, to, kind }: ColumnMapping): string => `${placeText(from)} → ${placeText(to)} ${kind}`

/** What comes to some data, in few words. */
const waysTo = (lineage: RunLineage | undefined, reference: string): string[] =>
  (lineage?.columns ?? [])
    .filter(({ to }) => to.reference === reference)
    .map((mapping) => mappingText(mapping).replaceAll(/object:\/\/b\//g, ''))
    .sort()
const columnsOf = (data: readonly DataSeen[] | undefined, reference: string): string =>
  (data?.find((one) => one.reference === reference)?.columns ?? [])
    .map(({ name, type }) => `${name} ${type ?? '?'}`)
    .join(', ')

const READINGS =
  'at,plant,temp,email\n2026-01-01T00:00:00Z,a,20.5,x@example.org\n2026-01-01T00:01:00Z,b,21,y@example.org\n'
const PLANTS = 'plant,city\na,Ghent\nb,Bruges\n'

const FIRST: readonly NodeText[] = [
  { id: 'readings', type: 'file', config: { reference: 'object://b/in/readings.csv' } },
  { id: 'plants', type: 'file', config: { reference: 'object://b/in/plants.csv' } },
  { id: 'warm', type: 'filter', config: { where: 'temp > 0' }, inputs: ['readings'] },
  { id: 'shaped', type: 'map', config: { select: { fahrenheit: 'temp * 1.8 + 32' }, keep: true }, inputs: ['warm'] },
  { id: 'joined', type: 'join', config: { on: ['plant'], kind: 'inner' }, inputs: ['shaped', 'plants'] },
  { id: 'masked', type: 'mask', config: { columns: { email: 'hash' } }, inputs: ['joined'] },
  {
    id: 'points',
    type: 'series',
    config: { source: 'src_1', time: 'at', tag: 'city', value: 'fahrenheit' },
    inputs: ['masked']
  },
  { id: 'files', type: 'object', config: { bucket: 'b', prefix: 'out/', format: 'parquet' }, inputs: ['masked'] }
]

describe('the columns of a run', () => {
  let workshop: Workshop
  before(async () => {
    workshop = await openWorkshop()
    await workshop.put('in/readings.csv', READINGS)
    await workshop.put('in/plants.csv', PLANTS)
  })
  after(() => workshop.close())

  it('are followed from the first source through two pipelines', async () => {
    const { lineage } = await workshop.run(FIRST, { pipelineId: 'pl_1' })
    // The first checkpoint may come before all have given something.
    const told = lineage.at(-1)
    assert.equal(new Set(lineage.map((one) => JSON.stringify(one))).size, lineage.length, 'nothing is told twice')
    const rows = [
      'in/plants.csv plant → $ * joined',
      'in/readings.csv plant → $ * joined',
      'in/readings.csv temp → $ * filtered'
    ]
    const to = (reference: string, ways: readonly string[]) =>
      [...rows, ...ways].map((way) => way.replace('$', reference)).sort()
    assert.deepEqual(
      waysTo(told, 'object://b/out/*'),
      to('out/*', [
        'in/plants.csv city → $ city identity',
        'in/plants.csv plant → $ plant_right identity',
        'in/readings.csv at → $ at identity',
        'in/readings.csv email → $ email masked',
        'in/readings.csv plant → $ plant identity',
        'in/readings.csv temp → $ fahrenheit computed',
        'in/readings.csv temp → $ temp identity'
      ])
    )
    const points = [
      'in/plants.csv city → $ tag identity',
      'in/readings.csv at → $ time identity',
      'in/readings.csv temp → $ value computed'
    ]
    assert.deepEqual(waysTo(told, 'series://src_1'), to('series://src_1', points))
    assert.deepEqual(waysTo(told, 'pipeline://pl_1'), to('pipeline://pl_1', points))
    assert.deepEqual(
      told?.outputs.map(({ reference }) => reference),
      ['series://src_1', 'pipeline://pl_1', 'object://b/out/*']
    )
    assert.equal(columnsOf(told?.inputs, 'object://b/in/plants.csv'), 'plant VARCHAR, city VARCHAR')
    assert.equal(columnsOf(told?.outputs, 'series://src_1'), 'time TIMESTAMP_NS, tag VARCHAR, value DOUBLE')

    const second = await workshop.run(
      [
        { id: 'files', type: 'file', config: { reference: 'object://b/out/*' } },
        { id: 'points', type: 'series', config: { source: 'src_1' } },
        {
          id: 'both',
          type: 'sql',
          config: { query: 'SELECT city, lower(email) AS who FROM input' },
          inputs: ['files']
        },
        { id: 'a', type: 'object', config: { bucket: 'b', prefix: 'a/', format: 'csv' }, inputs: ['both'] },
        { id: 'b', type: 'object', config: { bucket: 'b', prefix: 'b/', format: 'csv' }, inputs: ['points'] }
      ],
      { pipelineId: 'pl_2' }
    )
    assert.deepEqual(waysTo(second.lineage.at(-1), 'object://b/a/*'), [
      'out/* city → a/* city identity',
      'out/* email → a/* who computed'
    ])
    assert.deepEqual(
      waysTo(second.lineage.at(-1), 'object://b/b/*'),
      ['quality', 'tag', 'text', 'time', 'value'].map((name) => `series://src_1 ${name} → b/* ${name} identity`)
    )
    assert.equal(second.lineage.at(-1)?.columns.filter(({ to }) => to.reference === 'pipeline://pl_2').length, 7)
  })

  it('are told again when others come, and only then', async () => {
    const nodes: NodeText[] = [
      { id: 'in', type: 'webhook', config: {} },
      { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'again/', format: 'ndjson' }, inputs: ['in'] }
    ]
    const batches = { in: [[{ a: 1 }], [{ a: 2 }], [{ a: 3, b: 'x' }], [{ a: 'text' }], [{ b: 'y' }]] }
    // Every look at the clock is a second later, so that there is always time for it.
    const { lineage } = await workshop.run(nodes, { batches, eager: true })
    const told = lineage.map(({ outputs }) => columnsOf(outputs, 'object://b/again/*'))
    assert.equal(told[0], 'a DOUBLE')
    assert.equal(told.at(-1), 'a JSON, b VARCHAR')
    assert.equal(new Set(told).size, told.length)
  })

  it('are those of the tables that a query of a source names', async () => {
    const connection = { kind: 'postgres', host: 'db.example', database: 'shop' }
    const query = 'SELECT o.id, upper(mail), p.age FROM orders o JOIN hr.people p ON p.id = o.person WHERE o.paid'
    const nodes: NodeText[] = [
      { id: 'in', type: 'sql', config: { connection, query } },
      { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'shop/', format: 'csv' }, inputs: ['in'] }
    ]
    const told = async (sql: string, row: Record<string, unknown>) => {
      const [source, out] = nodes as [NodeText, NodeText]
      const asked = [{ ...source, config: { connection, query: sql } }, out]
      const { lineage } = await workshop.run(asked, { batches: { in: [[row]] } })
      const place = (reference: string) => reference.replace(/^dataset:\/\/[^/]*\//, '')
      return {
        inputs: lineage.at(-1)?.inputs.map(({ reference, columns }) => [place(reference), columns]),
        ways: waysTo(lineage.at(-1), 'object://b/shop/*').map(place)
      }
    }
    // `mail` may be of either.
    const joined = await told(query, { id: 1, upper: 'X', age: 7 })
    assert.deepEqual(joined.inputs, [
      ['shop', undefined],
      ['shop.public.orders', undefined],
      ['shop.hr.people', undefined]
    ])
    assert.ok(joined.ways.includes('shop.public.orders * → shop/* upper computed'), joined.ways.join('\n'))
    assert.ok(joined.ways.includes('shop.hr.people * → shop/* upper computed'))
    const one = await told('SELECT id, upper(mail) FROM orders WHERE paid', { id: 1, upper: 'X' })
    assert.deepEqual(one.ways, [
      'shop.public.orders id → shop/* id identity',
      'shop.public.orders mail → shop/* upper computed',
      'shop.public.orders paid → shop/* * filtered'
    ])
    const none = await told('CALL something()', { id: 1 })
    assert.deepEqual(none.ways, ['shop * → shop/* id computed'])
  })

  it('are those of no data where records come from nowhere else', async () => {
    const nodes: NodeText[] = [
      { id: 'in', type: 'generate', config: { fields: { x: 'n', y: 'n * 2' }, count: 3 } },
      { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'made/', format: 'csv' }, inputs: ['in'] }
    ]
    const { lineage } = await workshop.run(nodes)
    assert.deepEqual(lineage[0]?.inputs, [])
    assert.deepEqual(lineage[0]?.columns, [])
    assert.equal(columnsOf(lineage[0]?.outputs, 'pipeline://pl_test'), 'x BIGINT, y BIGINT')
  })

  it('are not more than can be told, which the log says', async () => {
    const names = Array.from({ length: 2100 }, (_, i) => `c${i}`)
    await workshop.put('wide.csv', `${names.join()}\n${names.map((_, i) => i).join()}\n`)
    const nodes: NodeText[] = [
      { id: 'in', type: 'file', config: { reference: 'object://b/wide.csv' } },
      { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'wide/', format: 'csv' }, inputs: ['in'] }
    ]
    const { lineage, log } = await workshop.run(nodes)
    assert.equal(lineage[0]?.outputs[0]?.columns?.length, 2000)
    assert.match(log.map(({ message }) => message).join(), /Lineage: It has too many columns/)
  })

  it('are not guessed while one of two inputs has not come, nor when a run goes on with what it remembers', async () => {
    const nodes: NodeText[] = [
      { id: 'left', type: 'file', config: { reference: 'object://b/left' } },
      { id: 'right', type: 'file', config: { reference: 'object://b/right' } },
      { id: 'join', type: 'join', config: { on: ['k'], kind: 'inner' }, inputs: ['left', 'right'] },
      { id: 'sql', type: 'sql', config: { query: 'SELECT k, l, r FROM input' }, inputs: ['join'] },
      { id: 'out', type: 'object', config: { bucket: 'b', prefix: 'both/', format: 'csv' }, inputs: ['sql'] }
    ]
    const batches = { left: [[{ k: 1, l: 'x' }], []], right: [[], [{ k: 1, r: 'y' }]] }
    const right = ['right k → both/* * joined', 'right r → both/* r identity']
    const left = ['left k → both/* * joined', 'left k → both/* k identity', 'left l → both/* l identity']
    const whole = await workshop.run(nodes, { batches, eager: true })
    assert.deepEqual(waysTo(whole.lineage.at(-1), 'object://b/both/*'), [...left, ...right])
    for (const { columns, isWhole } of whole.lineage.slice(0, -1)) assert.deepEqual([columns, isWhole], [[], false])

    const waiting = nodes.map((node) => (node.id === 'right' ? { ...node, type: 'webhook', config: {} } : node))
    const { checkpoint } = await workshop.run(waiting, {
      batches: { left: batches.left },
      eager: true,
      onCommit: (_commit, run) => run.stop()
    })
    const again = await workshop.run(nodes, { batches, checkpoint, eager: true })
    assert.equal(again.ledger.recordsWritten, 1)
    const told = again.lineage.at(-1)
    assert.deepEqual([told?.columns, told?.isWhole], [[], false], 'those of the left side were told before')
  })

  it('are named one by one up to ten thousand ways, and by their data beyond', async () => {
    const columns = Array.from({ length: 1000 }, (_, i) => ({ name: `c${i}`, type: 'DOUBLE' }))
    const sink = (_: unknown, i: number): PipelineNode => {
      return { id: `o${i}`, type: 'object', config: { bucket: 'b', prefix: `${i}/`, format: 'csv' }, inputs: ['in'] }
    }
    const source = { id: 'in', type: 'file', config: { reference: 'object://b/wide.csv' }, inputs: [] }
    const lineageOf = (sinks: number) =>
      lineageOfRun({
        pipelineId: 'pl_1',
        order: [source, ...Array.from({ length: sinks }, sink)],
        given: new Map([['in', columns]]),
        restored: new Set(),
        reading: () => () => assert.fail('there is no SQL'),
        readQuery: () => assert.fail('there is no query')
      })
    const some = await lineageOf(9)
    assert.deepEqual([some.columns.length, some.isCut], [10_000, false], 'those of the pipeline are among them')
    const all = await lineageOf(12)
    assert.deepEqual([all.columns.length, all.isCut], [10_003, true])
    assert.deepEqual(all.columns.slice(-3).map(mappingText), [
      'object://b/wide.csv * → object://b/9/* * computed',
      'object://b/wide.csv * → object://b/10/* * computed',
      'object://b/wide.csv * → object://b/11/* * computed'
    ])
  })
})
