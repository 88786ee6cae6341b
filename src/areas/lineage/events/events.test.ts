import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { LineageWorld } from '../../../../test/support/lineage-world.ts'
import { naiveGraph } from '../openlineage/testing/naive-graph.ts'
import { simulate } from '../openlineage/testing/simulate.ts'

const PRODUCER = 'https://example.org/producer'

function event(changes: object = {}) {
  return {
    eventType: 'COMPLETE',
    eventTime: '2026-02-01T12:00:00Z',
    producer: PRODUCER,
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
    run: { runId: '0192f0c1-7c1d-7000-8000-000000000001' },
    job: { namespace: 'airflow', name: 'shop.load' },
    inputs: [{ namespace: 'postgres://db:5432', name: 'shop.public.orders' }],
    outputs: [{ namespace: 'object://lake', name: 'orders.parquet' }],
    ...changes
  }
}

describe('OpenLineage events', () => {
  let world: LineageWorld
  before(async () => {
    world = await LineageWorld.start()
  })
  after(() => world.close())

  const send = (body: unknown, headers = {}, path = '/api/lineage/events') =>
    world.test.call('POST', path, { as: 'editor', body, headers })
  const upstream = async (reference: string) =>
    (await world.get(`upstream/${encodeURIComponent(reference)}`)).nodes.map(({ id }: { id: string }) => id)

  it('become edges, where clients send them and beside', async () => {
    for (const path of ['/api/v1/lineage', '/api/lineage/events']) {
      const { status, body } = await send(event(), {}, path)
      assert.deepEqual([status, body], [200, { accepted: 1, rejected: 0, errors: [], warnings: [] }])
    }
    assert.deepEqual(await upstream('object://lake/orders.parquet'), [
      'object://lake/orders.parquet',
      'job://airflow/shop.load',
      'dataset://postgres%3A%2F%2Fdb%3A5432/shop.public.orders'
    ])
    const { edges } = await world.get(`upstream/${encodeURIComponent('object://lake/orders.parquet')}`)
    assert.deepEqual(edges[0].provenance, [
      {
        how: 'openlineage',
        who: PRODUCER,
        startedAt: '2026-02-01T12:00:00.000Z',
        lastSeenAt: '2026-02-01T12:00:00.000Z',
        endedAt: null,
        runs: 1
      }
    ])
  })

  it('that hold what no text can cost those beside them in an array nothing', async () => {
    const named = (name: string) => event({ job: { namespace: 'airflow', name } })
    const deep = JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`)
    const bad = [named('x\0'), named('x\ud800'), event({ inputs: deep })]
    const { status, body } = await send([named('beside.one'), ...bad, named('beside.two')])
    assert.deepEqual([status, body.accepted, body.rejected], [200, 2, 3])
    assert.deepEqual(
      body.errors.map(({ position, message }: { position: number; message: string }) => [position, message]),
      [
        [1, 'Text can’t hold a NUL character.'],
        [2, 'Text can’t hold half of a surrogate pair.'],
        [3, 'Nest at most 64 levels deep.']
      ]
    )
    for (const name of ['beside.one', 'beside.two']) {
      const id = encodeURIComponent(`job://airflow/${name}`)
      assert.equal((await world.test.call('GET', `/api/lineage/nodes/${id}`, { as: 'viewer' })).status, 200)
    }
  })

  it('come as arrays, as lines, and packed', async () => {
    const two = [event(), event({ job: { namespace: 'airflow', name: 'other' } })]
    assert.equal((await send(two)).body.accepted, 2)
    const lines = two.map((one) => `${JSON.stringify(one)}\n`).join('\n')
    assert.equal((await send(lines, { 'content-type': 'application/x-ndjson' })).body.accepted, 2)
    const token = await world.test.token('packer', 'editor')
    const response = await fetch(`${world.test.url}/api/v1/lineage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify(event()))
    })
    assert.equal(response.status, 200)
  })

  it('are refused where they are packed badly, in words about them', async () => {
    const token = await world.test.token('packer', 'editor')
    const pack = async (body: Buffer) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip'
      }
      const response = await fetch(`${world.test.url}/api/lineage/events`, { method: 'POST', headers, body })
      return { status: response.status, body: (await response.json()) as { code: string; detail: string } }
    }
    const cut = await pack(gzipSync(JSON.stringify(event())).subarray(0, -9))
    assert.deepEqual([cut.status, cut.body.code], [400, 'malformed_json'])
    assert.match(cut.body.detail, /gzip/)
    assert.doesNotMatch(JSON.stringify(cut.body), /points/)
    const large = await pack(gzipSync(' '.repeat(9 * 1024 * 1024)))
    assert.deepEqual([large.status, large.body.detail.includes('MAX_WRITE_BYTES')], [413, false])
    assert.match(large.body.detail, /^Events of one request/)
  })

  it('leave a run ended that has ended, where its start comes late or is sent again', async () => {
    const job = { namespace: 'airflow', name: 'retried' }
    const data = (name: string) => ({ namespace: 'db', name })
    const at = (eventType: string, time: string, parts: object) =>
      event({ eventType, eventTime: `2026-02-01T${time}Z`, job, outputs: [], ...parts })
    const known = async () => {
      const { runs } = await world.get(`nodes/${encodeURIComponent('job://airflow/retried')}/runs`)
      const { nodes } = await world.get(`upstream/${encodeURIComponent('job://airflow/retried')}`)
      const [{ state, stateAt, startedAt, wholeAt }, ...others] = runs
      assert.deepEqual(others, [])
      return { state, stateAt, startedAt, wholeAt, reads: nodes.length - 1 }
    }
    await send(at('COMPLETE', '12:00:00', { inputs: [data('a')] }))
    const end = '2026-02-01T12:00:00.000Z'
    const ended = { state: 'completed', stateAt: end, startedAt: end, wholeAt: end, reads: 1 }
    assert.deepEqual(await known(), ended)
    await send(at('START', '12:30:00', { inputs: [] }))
    await send(at('RUNNING', '12:40:00', { inputs: [data('a')] }))
    assert.deepEqual(await known(), ended)
    await send(at('START', '11:00:00', { inputs: [data('b')] }))
    assert.deepEqual(await known(), { ...ended, startedAt: '2026-02-01T11:00:00.000Z', reads: 2 })
  })

  it('are refused one by one, with what is wrong where, and keep nobody else out', async () => {
    const { status, body } = await send([event({ eventTime: 'yesterday' }), event(), { nonsense: 1 }, 7])
    assert.equal(status, 200)
    assert.deepEqual([body.accepted, body.rejected], [1, 3])
    assert.deepEqual(
      body.errors.map(({ position, code, pointer }: { position: number; code: string; pointer: string }) => [
        position,
        code,
        pointer
      ]),
      [
        [0, 'invalid_event', '/eventTime'],
        [2, 'invalid_event', '/eventTime'],
        [3, 'invalid_event', '']
      ]
    )
    const none = await send(event({ producer: 5 }))
    assert.deepEqual(
      [none.status, none.body.code, none.body.errors[0].pointer],
      [400, 'no_events_accepted', '/producer']
    )
    const line = await send(`${JSON.stringify(event())}\n{"half`, { 'content-type': 'application/x-ndjson' })
    assert.deepEqual([line.body.accepted, line.body.errors[0].position], [1, 1])
    assert.equal((await send('')).status, 400)
    assert.deepEqual([(await send([])).status, (await send([])).body.code], [400, 'no_events_accepted'])
    assert.equal((await send('a,b', { 'content-type': 'text/csv' })).status, 415)
    assert.equal((await world.test.call('POST', '/api/v1/lineage', { as: 'viewer', body: event() })).status, 403)
  })

  it('from a clock that is ahead are seen at once', async () => {
    const job = { namespace: 'airflow', name: 'ahead' }
    const eventTime = new Date(Date.now() + 3600_000).toISOString()
    const outputs = [{ namespace: 'object://lake', name: 'ahead.csv' }]
    await send(event({ job, eventTime, outputs }))
    assert.equal((await upstream('object://lake/ahead.csv')).length, 3)
  })

  it('tell of columns, owners, other names, and the error of a run that failed', async () => {
    const facets = {
      schema: { _producer: PRODUCER, _schemaURL: PRODUCER, fields: [{ name: 'id', type: 'int' }] },
      ownership: { _producer: PRODUCER, _schemaURL: PRODUCER, owners: [{ name: 'team:sales' }] },
      symlinks: {
        _producer: PRODUCER,
        _schemaURL: PRODUCER,
        identifiers: [{ namespace: 'hive://meta', name: 'shop.wide', type: 'TABLE' }]
      }
    }
    const job = { namespace: 'spark', name: 'wide' }
    const outputs = [{ namespace: 'object://lake', name: 'wide', facets }]
    const run = {
      runId: '0192f0c1-7c1d-7000-8000-000000000002',
      facets: {
        errorMessage: {
          _producer: PRODUCER,
          _schemaURL: PRODUCER,
          message: 'Out of memory',
          programmingLanguage: 'JAVA'
        }
      }
    }
    await send(event({ job, outputs, run, eventType: 'FAIL' }))
    const node = await world.get(`nodes/${encodeURIComponent('object://lake/wide')}`)
    assert.deepEqual([node.owners, node.columns], [['team:sales'], [{ name: 'id', type: 'int' }]])
    const alias = await upstream('dataset://hive%3A%2F%2Fmeta/shop.wide')
    assert.ok(alias.includes('job://spark/wide'))
    const { runs } = await world.get(`nodes/${encodeURIComponent('job://spark/wide')}/runs`)
    assert.deepEqual([runs[0].state, runs[0].error], ['failed', 'Out of memory'])
  })

  it('of several producers, sent by many at once, make the graph that the naive model has', async () => {
    const events = simulate(11, 400)
    const calls = Array.from({ length: 40 }, (_, n) => events.filter((_, at) => at % 40 === n))
    await Promise.all(calls.map((some) => send(some)))
    const naive = naiveGraph(events, Date.now(), {})
    const { edges, nextCursor } = await world.get('graph?limit=10000')
    assert.equal(nextCursor, null)
    const found = new Set(edges.map(({ from, to }: { from: string; to: string }) => `${from} -> ${to}`))
    for (const edge of naive.edges) assert.ok(found.has(edge), edge)
  })
})
