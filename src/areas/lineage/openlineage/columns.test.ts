import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { designEvent, facet, runEvent, shortColumns, sightingBy, table } from './testing/told.ts'

const from = (field: string, ...transformations: object[]) => ({ namespace: 'db', name: 'in', field, transformations })
const how = (type: string, subtype?: string, masking?: boolean) => ({ type, subtype, description: '', masking })

function columnsOf(columnLineage: object): string[] {
  const outputs = [table('out', { columnLineage: facet(columnLineage) })]
  return shortColumns(sightingBy(runEvent({ inputs: [table('in')], outputs })))
}

describe('the columns of an event', () => {
  for (const [transformation, kind] of [
    [how('DIRECT', 'IDENTITY'), 'identity'],
    [how('DIRECT', 'TRANSFORMATION'), 'computed'],
    [how('DIRECT', 'AGGREGATION', false), 'computed'],
    [how('DIRECT', 'TRANSFORMATION', true), 'masked'],
    [how('DIRECT', 'AGGREGATION', true), 'masked'],
    [how('DIRECT', 'IDENTITY', true), 'masked'],
    [how('DIRECT'), 'computed'],
    [how('direct', 'identity'), 'identity'],
    [how('DIRECT', 'SOMETHING_NEW'), 'computed'],
    [how('INDIRECT', 'FILTER'), 'filtered'],
    [how('INDIRECT', 'JOIN', true), 'joined'],
    [how('INDIRECT', 'GROUP_BY'), 'grouped'],
    [how('INDIRECT', 'SORT'), 'sorted'],
    [how('INDIRECT', 'WINDOW'), 'grouped'],
    [how('INDIRECT', 'CONDITIONAL'), 'computed'],
    [how('INDIRECT', 'CONDITIONAL', true), 'masked'],
    [how('INDIRECT'), 'filtered'],
    [how('INDIRECT', 'SOMETHING_NEW'), 'filtered'],
    [how('SOMETHING_NEW'), 'computed']
  ] as const) {
    it(`are ${kind} with ${JSON.stringify(transformation)}`, () => {
      const fields = { a: { inputFields: [from('x', transformation)] }, other: { inputFields: [] } }
      assert.deepEqual(columnsOf({ fields }), [`in.x ${kind} out.a`])
    })
  }

  it('are what the standard shows of version 1-2-0', () => {
    const same = (field: string) => ({ inputFields: [from(field, how('DIRECT', 'IDENTITY', false))] })
    const made = how('DIRECT', 'TRANSFORMATION', false)
    const columns = columnsOf({
      fields: {
        order_id: same('order_id'),
        order_placed_on: same('order_placed_on'),
        order_delivery_time: { inputFields: [from('order_placed_on', made), from('order_delivered_on', made)] }
      },
      dataset: [from('order_placed_on', how('INDIRECT', 'SORT')), from('order_delivered_on', how('INDIRECT', 'SORT'))]
    })
    assert.deepEqual(columns, [
      'in.order_id identity out.order_id',
      'in.order_placed_on identity out.order_placed_on',
      'in.order_placed_on computed out.order_delivery_time',
      'in.order_delivered_on computed out.order_delivery_time',
      'in.order_placed_on sorted out.*',
      'in.order_delivered_on sorted out.*'
    ])
  })

  it('are the same in the older form, which says of every column what is about rows', () => {
    const rows = [from('p', how('INDIRECT', 'SORT')), from('q', how('INDIRECT', 'FILTER'))]
    const part = from('r', how('INDIRECT', 'JOIN'))
    const columns = columnsOf({
      fields: {
        a: { inputFields: [from('x', how('DIRECT', 'IDENTITY')), ...rows, part] },
        b: { inputFields: [...rows, ...rows, from('x', how('DIRECT', 'IDENTITY'), how('INDIRECT', 'SORT'))] }
      },
      dataset: []
    })
    assert.deepEqual(columns.sort(), [
      'in.p sorted out.*',
      'in.q filtered out.*',
      'in.r joined out.a',
      'in.x identity out.a',
      'in.x identity out.b',
      'in.x sorted out.b'
    ])
  })

  it('are what versions before 1-1-0 say of a column', () => {
    const old = (transformationType?: string) => ({
      inputFields: [{ namespace: 'db', name: 'in', field: 'x' }, from('y', { type: 'DIRECT', masking: false })],
      transformationDescription: 'identical',
      transformationType
    })
    const columns = columnsOf({ fields: { a: old('IDENTITY'), b: old('MASKED'), c: old() } })
    assert.deepEqual(columns, [
      'in.x identity out.a',
      'in.y identity out.a',
      'in.x masked out.b',
      'in.y masked out.b',
      'in.x computed out.c',
      'in.y computed out.c'
    ])
  })

  it('come from data that are then read, even if no input is named', () => {
    const columnLineage = facet({ fields: { a: { inputFields: [from('x')] } } })
    const { inputs } = sightingBy(runEvent({ outputs: [table('out', { columnLineage })] }))
    assert.deepEqual(inputs, [{ reference: 'dataset://db/in' }])
  })

  it('are not asked of inputs, which were written by others', () => {
    const columnLineage = facet({ fields: { a: { inputFields: [from('x')] } } })
    const { inputs, columns } = sightingBy(runEvent({ inputs: [table('t', { columnLineage })] }))
    assert.deepEqual([inputs, columns], [[{ reference: 'dataset://db/t' }], []])
  })

  it('may be called as what every object has', () => {
    const fields = JSON.parse(
      '{"__proto__": {"inputFields": [{"namespace": "db", "name": "in", "field": "constructor"}]}}'
    )
    assert.deepEqual(columnsOf({ fields }), ['in.constructor computed out.__proto__'])
  })
})

describe('the lineage facet', () => {
  const data = (name: string, more: object = {}) => ({ namespace: 'db', name, type: 'DATASET', ...more })
  const work = (more: object = {}) => ({ type: 'JOB', ...more })
  const identity = { transformations: [how('DIRECT', 'IDENTITY')] }
  const byJob = (entries: object[], more: object = {}) =>
    sightingBy(runEvent({ job: { namespace: 'n', name: 'j', facets: { lineage: facet({ entries }) } }, ...more }))
  const named = (list: readonly { reference: string }[]) =>
    list.map(({ reference }) => reference.slice('dataset://db/'.length))

  it('of a job tells which of its targets comes from what', () => {
    const seen = byJob([
      data('c', {
        inputs: [data('a')],
        fields: { id: { inputs: [data('a', { field: 'key', ...identity }), work()] } }
      }),
      data('d', { inputs: [data('b', { field: 'day', transformations: [how('INDIRECT', 'FILTER')] })] })
    ])
    assert.deepEqual(
      [named(seen.inputs), named(seen.outputs)],
      [
        ['a', 'b'],
        ['c', 'd']
      ]
    )
    assert.deepEqual(shortColumns(seen), ['a.key identity c.id', 'b.day filtered d.*'])
  })

  it('of a job may have it as the target, by its name or without', () => {
    for (const target of [
      work({ inputs: [data('a')] }),
      work({ namespace: 'n', name: 'j', inputs: [data('a'), work()] })
    ]) {
      assert.deepEqual(named(byJob([target]).inputs), ['a'])
    }
  })

  it('of a job says nothing of other jobs', () => {
    const other = { namespace: 'airflow', name: 'x' }
    const seen = byJob([work({ ...other, inputs: [data('a')] }), data('made', { inputs: [work(), work(other)] })])
    assert.deepEqual([named(seen.inputs), named(seen.outputs)], [[], ['made']])
  })

  it('counts before the one about columns', () => {
    const columnLineage = facet({ fields: { id: { inputFields: [from('x')] } } })
    const lineage = facet({ inputs: [data('b')], fields: { id: { inputs: [data('b')] } } })
    const output = sightingBy(runEvent({ outputs: [table('out', { columnLineage, lineage })] }))
    assert.deepEqual(shortColumns(output), ['b.* computed out.id'])
    const entry = data('out', { inputs: [data('c')] })
    const job = byJob([entry], { outputs: [table('out', { columnLineage })] })
    assert.deepEqual([named(job.inputs), shortColumns(job)], [['c'], []])
  })

  it('of data makes them the work of a job of their own name', () => {
    const lineage = facet({
      inputs: [data('raw')],
      fields: { id: { inputs: [data('raw', { field: 'key', ...identity })] } }
    })
    const seen = sightingBy(designEvent({ dataset: table('view', { lineage }) }))
    assert.deepEqual(
      [seen.job.reference, named(seen.inputs), named(seen.outputs)],
      ['job://db/view', ['raw'], ['view']]
    )
    assert.deepEqual(shortColumns(seen), ['raw.key identity view.id'])
    assert.equal(seen.run.isWhole, true)
  })
})
