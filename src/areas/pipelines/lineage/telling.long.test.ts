// Once: it starts processes that run pipelines, which know nothing of the database.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'

describe('what runs tell the lineage', () => {
  let test: TestApp
  before(async () => {
    test = await startTestApp()
    await test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'plant' } })
    await put('in/a.csv', 'plant,temp\na,20\nb,x\n')
  })
  after(() => test.close())

  const call = (method: string, path: string, body?: unknown) =>
    test.call(method, `/api/pipelines${path}`, { as: 'editor', body })
  const put = (key: string, body: string) =>
    test.call('PUT', `/api/buckets/plant/objects/${key}`, { as: 'editor', body })
  const nodesFrom = (reference: string) => [
    { id: 'in', type: 'file', config: { reference } },
    { id: 'map', type: 'map', config: { select: { plant: 'plant', temp: 'temp::INTEGER' } }, inputs: ['in'] },
    { id: 'out', type: 'object', config: { bucket: 'plant', prefix: 'out/', format: 'csv' }, inputs: ['map'] }
  ]
  async function make(name: string, nodes: unknown): Promise<string> {
    const { status, body, text } = await call('POST', '', { name, nodes })
    assert.equal(status, 201, text)
    return body.id
  }
  const reach = (id: string, status: string) =>
    eventually(async () => {
      const { body } = await call('GET', `/${id}`)
      assert.equal(body.status, status, JSON.stringify(body.error))
      return body
    })
  async function run(id: string, status = 'completed') {
    assert.equal((await call('POST', `/${id}/start`)).status, 202)
    return reach(id, status)
  }

  /** What is known of a pipeline: the data that it reads and writes, what has ended in parentheses, and the columns. */
  async function known(id: string) {
    const { db } = test.platform.metadata
    const nodes = await db.selectFrom('lineage_nodes').selectAll().execute()
    const byKey = new Map(nodes.map((node) => [node.key, node]))
    const job = nodes.find(({ reference }) => reference === `job://pipeline/${id}`)
    const over = ({ ended_ms }: { ended_ms: number | null }, text: string) => (ended_ms === null ? text : `(${text})`)
    const named = (key: string) => byKey.get(key)?.reference.replace(id, 'ID')
    const rows = await db
      .selectFrom('lineage_edges')
      .selectAll()
      .where('job', '=', job?.key ?? '')
      .execute()
    const edges = rows.map((edge) => {
      const isRead = edge.type === 'reads'
      return over(edge, `${edge.type} ${named(isRead ? edge.from_node : edge.to_node)}`)
    })
    const mappings = await db
      .selectFrom('lineage_mappings')
      .selectAll()
      .where('job', '=', job?.key ?? '')
      .execute()
    const columns = mappings
      .filter(({ to_node }) => named(to_node) !== 'pipeline://ID')
      .map((one) => over(one, `${one.from_column || '*'} → ${one.to_column || '*'} ${one.kind}`))
    const told = await db
      .selectFrom('lineage_runs')
      .selectAll()
      .where('job', '=', job?.key ?? '')
      .orderBy('start_ms')
      .execute()
    const runs = told.map(({ state, whole_ms }) => `${state}${whole_ms === null ? '' : ' whole'}`)
    const output = nodes.find(({ reference }) => reference === `pipeline://${id}`)
    return {
      name: job?.name,
      output: { name: output?.name, isGone: output?.facts.includes('"ownerGone"') },
      facts: JSON.parse(job?.facts ?? '{}'),
      edges: edges.sort(),
      columns: columns.sort(),
      runs
    }
  }
  const EDGES = ['reads object://plant/in/*.csv', 'writes object://plant/out/*', 'writes pipeline://ID']
  const COLUMNS = ['plant → plant identity', 'temp → temp computed']

  it('are data and columns, the same for each run, also of one that finds nothing', async () => {
    const id = await make('repeated', nodesFrom('object://plant/in/*.csv'))
    await run(id)
    const first = await known(id)
    assert.deepEqual([first.name, first.edges, first.columns], ['repeated', EDGES, COLUMNS])
    assert.deepEqual(first.runs, ['completed whole'])
    await call('PUT', `/${id}`, { description: 'Why it is there' })
    await run(id)
    const { db } = test.platform.metadata
    const statements = async () => (await db.selectFrom('lineage_statements').select('hash').execute()).length
    const kept = await statements()
    await run(id)
    assert.equal(await statements(), kept, 'a run that repeats another is no more to keep')
    await test.call('DELETE', '/api/buckets/plant/objects/in/a.csv', { as: 'editor' })
    await run(id)
    await put('in/a.csv', 'plant,temp\na,20\nb,x\n')
    const last = await known(id)
    assert.deepEqual([last.edges, last.columns], [EDGES, COLUMNS])
    assert.deepEqual(last.runs, ['completed whole', 'completed whole', 'completed whole', 'completed'])
    assert.equal(last.facts.description[1], 'Why it is there')
  })

  it('are the data alone where a run fails before its first checkpoint', async () => {
    const filter = { id: 'map', type: 'filter', config: { where: 'nowhere > 1' }, inputs: ['in'] }
    const id = await make(
      'broken',
      nodesFrom('object://plant/in/*.csv').map((node) => (node.id === 'map' ? filter : node))
    )
    await run(id, 'failed')
    const { edges, columns, runs } = await known(id)
    assert.deepEqual([edges, columns, runs], [EDGES, [], ['failed whole']])
    const { db } = test.platform.metadata
    const told = await db.selectFrom('lineage_runs').select('error').where('state', '=', 'failed').execute()
    assert.match(told[0]?.error ?? '', /nowhere/)
  })

  it('are over when the next definition does not name them, and when the pipeline is gone', async () => {
    await put('other/a.csv', 'plant,temp\na,20\n')
    const id = await make('changed', nodesFrom('object://plant/in/*.csv'))
    await run(id)
    await call('PUT', `/${id}`, { name: 'renamed', nodes: nodesFrom('object://plant/other/*.csv') })
    const called = await known(id)
    assert.deepEqual([called.name, called.output], ['renamed', { name: 'renamed', isGone: false }])
    await run(id)
    const after = await known(id)
    assert.deepEqual([after.name, after.output.name], ['renamed', 'renamed'])
    assert.deepEqual(after.edges, [
      '(reads object://plant/in/*.csv)',
      'reads object://plant/other/*.csv',
      ...EDGES.slice(1)
    ])
    assert.deepEqual(after.columns, [...COLUMNS.map((text) => `(${text})`), ...COLUMNS])
    assert.equal((await call('DELETE', `/${id}`)).status, 204)
    const gone = await known(id)
    assert.ok(gone.edges.every((text) => text.startsWith('(')))
    assert.ok(gone.columns.every((text) => text.startsWith('(')))
    assert.deepEqual([gone.facts.deleted.length, gone.facts.deleted[0][1]], [1, null])
    assert.deepEqual(gone.output, { name: 'renamed', isGone: true })
  })

  it('do not end what a replay of dead letters does not read', async () => {
    const id = await make('refused', nodesFrom('object://plant/in/*.csv'))
    await run(id)
    const { body } = await call('POST', `/${id}/dead-letters/replay`, {})
    await eventually(async () => {
      const { runs } = await known(id)
      assert.deepEqual(runs, ['completed whole', 'completed'], JSON.stringify(body))
      return true
    })
    const { edges, columns } = await known(id)
    assert.deepEqual([edges, columns], [EDGES, COLUMNS])
  })

  it('are known while a run without an end goes on, and when it was stopped', async () => {
    const id = await make('stream', [
      { id: 'in', type: 'webhook' },
      { id: 'mask', type: 'mask', config: { columns: { who: 'hash' } }, inputs: ['in'] },
      { id: 'out', type: 'object', config: { bucket: 'plant', prefix: 'hooked/', format: 'csv' }, inputs: ['mask'] }
    ])
    await run(id, 'running')
    assert.deepEqual((await known(id)).runs, ['running whole'])
    const { status, text } = await call('POST', `/${id}/nodes/in/records`, [{ who: 'x', n: 1 }])
    assert.ok(status < 300, text)
    const { db } = test.platform.metadata
    const key = await db
      .selectFrom('lineage_nodes')
      .select('facts')
      .where('reference', '=', 'object://plant/hooked/*')
      .executeTakeFirst()
    assert.deepEqual(
      JSON.parse(key?.facts ?? '{}').columns[1].map(({ name }: { name: string }) => name),
      ['who', 'n']
    )
    await call('POST', `/${id}/stop`)
    await reach(id, 'stopped')
    assert.deepEqual((await known(id)).runs, ['completed whole'])
  })
})
