import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'

describe('dead letters', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
    await test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'letters' } })
  })
  after(() => test.close())

  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    test.call(method, `/api/pipelines${path}`, { as: 'editor', body, headers })

  async function make(name: string, nodes: unknown): Promise<string> {
    const { status, body, text } = await call('POST', '', { name, nodes })
    assert.equal(status, 201, text)
    return body.id
  }
  async function reach(id: string, status: string) {
    return eventually(async () => {
      const { body } = await call('GET', `/${id}`)
      assert.equal(body.status, status, JSON.stringify(body.error))
      return body
    })
  }
  async function start(id: string, status: string) {
    const { status: answered, text } = await call('POST', `/${id}/start`)
    assert.equal(answered, 202, text)
    return reach(id, status)
  }
  async function stop(id: string) {
    await call('POST', `/${id}/stop`)
    return reach(id, 'stopped')
  }
  async function replay(id: string, body?: unknown) {
    const answer = await call('POST', `/${id}/dead-letters/replay`, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const out = (prefix: string, input: string, rollSeconds = 3600) => {
    const config = { bucket: 'letters', prefix, format: 'ndjson', rollSeconds }
    return { id: 'out', type: 'object', config, inputs: [input] }
  }
  async function written(prefix: string): Promise<Record<string, unknown>[]> {
    const as = 'editor' as const
    const { body } = await test.call('GET', `/api/buckets/letters/objects?prefix=${prefix}&limit=1000`, { as })
    const objects = body.objects.map(({ name }: { name: string }) => encodeURIComponent(name))
    const texts: string[] = []
    for (const name of objects)
      texts.push((await test.call('GET', `/api/buckets/letters/objects/${name}`, { as })).text)
    return texts.flatMap((text) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    )
  }
  const map = (select: object, input = 'in') => ({ id: 'map', type: 'map', config: { select }, inputs: [input] })

  it('go on in a run of their own once a pipeline has completed, and no source is read again', async () => {
    const fields = { n: 'n', v: "CASE WHEN n % 1000 = 7 THEN 'x' || n ELSE n::VARCHAR END" }
    const source = { id: 'in', type: 'generate', config: { count: 20_000, fields } }
    const id = await make('completed', [source, map({ n: 'n', v: 'v::INTEGER' }), out('completed/', 'map')])
    const first = (await start(id, 'completed')).run
    assert.deepEqual([first.kind, first.ledger.recordsRead, first.ledger.recordsDeadLettered], ['normal', 20_000, 20])
    const nodes = [source, map({ n: 'n', v: "replace(v, 'x', '')::INTEGER" }), out('completed/', 'map')]
    assert.equal((await call('PUT', `/${id}`, { nodes })).status, 200)
    const { runId, ...answer } = await replay(id)
    assert.deepEqual(answer, { replayed: 20, skipped: [], skippedCount: 0, waiting: 0 })

    const pipeline = (await call('GET', `/${id}`)).body
    assert.deepEqual([pipeline.status, pipeline.run.id, pipeline.version], ['completed', first.id, 2])
    const run = (await call('GET', `/${id}/runs/${runId}`)).body
    assert.deepEqual(
      [run.kind, run.status, run.number, run.version, run.error, run.balanced],
      ['replay', 'completed', 2, 2, null, true]
    )
    assert.deepEqual([run.ledger.recordsRead, run.ledger.recordsWritten], [20, 20])
    assert.equal((await call('GET', `/${id}/runs?kind=replay`)).body.total, 1)
    const rows = await written('completed/')
    assert.deepEqual([rows.length, new Set(rows.map(({ n }) => n)).size], [20_000, 20_000])
    assert.ok(rows.every(({ n, v }) => n === v))
    // And the next one begins at the beginning, as it would have.
    assert.equal((await start(id, 'completed')).run.ledger.recordsRead, 20_000)
    assert.deepEqual([(await replay(id)).runId, (await replay(id, { nodeId: 'map' })).replayed], [null, 0])
  })

  it('go on in a stopped pipeline, which then goes on with all that it held', async () => {
    const aggregate = {
      id: 'sum',
      type: 'aggregate',
      config: { window: '1h', time: 't', select: { total: 'sum(v)', count: 'count(*)' } },
      inputs: ['once']
    }
    const once = { id: 'once', type: 'dedupe', config: { by: ['n'] }, inputs: ['map'] }
    const nodes = [
      { id: 'in', type: 'webhook' },
      map({ n: 'n', t: 't::TIMESTAMP', v: 'v::DOUBLE' }),
      once,
      aggregate,
      out('stopped/', 'sum')
    ]
    const id = await make('stopped', nodes)
    const feed = (records: object[]) => call('POST', `/${id}/nodes/in/records`, records)
    await start(id, 'running')
    const t = '2026-03-09T13:10:00'
    await feed([{ n: 1, t, v: '1' }])
    await feed([{ n: 2, t, v: '2,5' }])
    const stopped = (await stop(id)).run
    const trial = await call('POST', `/${id}/dead-letters/try`, { set: { v: "replace(v, ',', '.')" } })
    assert.equal(trial.status, 200, trial.text)
    const { tried, isTimeUp } = trial.body
    assert.equal(isTimeUp, false)
    assert.deepEqual(
      [tried.length, tried[0].record.v, tried[0].corrected.v, tried[0].refused, tried[0].written[0].record.total],
      [1, '2,5', '2.5', [], 2.5]
    )
    assert.equal((await call('POST', `/${id}/dead-letters/try`)).body.tried[0].refused[0].code, 'invalid_value')
    // A node that has become another begins anew with the replay, and not once more with the next start.
    const changed = nodes.map((node) => (node === once ? { ...once, config: { by: ['n', 't'] } } : node))
    assert.equal((await call('PUT', `/${id}`, { nodes: changed })).status, 200)
    const answer = await replay(id, { set: { v: "replace(v, ',', '.')" } })
    assert.deepEqual([answer.replayed, answer.waiting], [1, 0])
    const after = (await call('GET', `/${id}`)).body
    assert.deepEqual([after.status, after.run.id], ['stopped', stopped.id])
    assert.deepEqual(await written('stopped/').catch(() => []), [], 'the window stays open')
    await start(id, 'running')
    // The second comes again and is known; the last closes the window.
    await feed([
      { n: 2, t, v: '100' },
      { n: 3, t: '2026-03-09T15:00:00', v: '1' }
    ])
    await stop(id)
    const [window] = await written('stopped/')
    assert.deepEqual([window?.total, window?.count], [3.5, 2])
  })

  it('are listed, counted, exported and given up by what they have in common', async () => {
    const schema = { type: 'object', properties: { n: { type: 'number', maximum: 1 } } }
    const strict = { id: 'strict', type: 'validate', config: { schema }, inputs: ['map'] }
    const id = await make('many', [
      { id: 'in', type: 'webhook' },
      map({ n: 'n::DOUBLE', t: 't' }),
      strict,
      out('many/', 'strict')
    ])
    const feed = (records: object[]) => call('POST', `/${id}/nodes/in/records`, records)
    await start(id, 'running')
    await feed(Array.from({ length: 2500 }, (_, i) => ({ n: i + 2, t: '=1+1' })))
    const between = new Date(Date.now() + 1).toISOString()
    await eventually(() => Date.now() > Date.parse(between))
    await feed([{ n: 'none', t: '' }])
    const list = async (query: string) => (await call('GET', `/${id}/dead-letters?${query}`)).body
    assert.deepEqual([(await list('nodeId=map')).total, (await list('code=invalid_record')).total], [1, 2500])
    assert.deepEqual([(await list(`before=${between}`)).total, (await list(`after=${between}`)).total], [2500, 1])
    const [{ runId }] = (await list('limit=1')).deadLetters
    assert.deepEqual([(await list(`runId=${runId}`)).total, (await list('runId=run_none')).total], [2501, 0])
    const wrong = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
      const answer = await call(method, `/${id}/dead-letters${path}`, body)
      assert.equal(answer.status, 400, path)
      return answer.body.errors[0]
    }
    const query = { pointer: '/query/node', message: 'is not a query parameter of this operation; nodeId is' }
    assert.deepEqual(await wrong('GET', '?node=map'), query)
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', '']
    ] as const) {
      const node = await wrong(method, `${path}?nodeId=strickt`)
      assert.deepEqual([node.pointer, node.message.includes('there is strict, in, map')], ['/query/nodeId', true])
      const code = await wrong(method, `${path}?code=invalid_values`)
      assert.deepEqual([code.pointer, code.message.includes('there is invalid_value, ')], ['/query/code', true])
    }
    for (const path of ['/replay', '/try']) {
      assert.equal((await wrong('POST', path, { nodeId: 'strickt' })).pointer, '/nodeId')
      assert.equal((await wrong('POST', path, { code: 'invalid' })).pointer, '/code')
    }
    assert.deepEqual([(await list('nodeId=out')).total, (await list('code=wrong_type')).total], [0, 0])

    const summary = (await call('GET', `/${id}/dead-letters/summary`)).body
    const kinds = summary.kinds.map((kind: Record<string, unknown>) => [kind.nodeId, kind.code, kind.count])
    assert.deepEqual(
      [summary.waiting, kinds],
      [
        2501,
        [
          ['strict', 'invalid_record', 2500],
          ['map', 'invalid_value', 1]
        ]
      ]
    )
    assert.ok(summary.kinds[0].oldest <= summary.kinds[0].newest && summary.kinds[1].reason.includes('none'))

    const lines = (
      await call('GET', `/${id}/dead-letters?nodeId=strict`, undefined, { accept: 'application/x-ndjson' })
    ).text
    const exported = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual([exported.length, exported[0].record.n, exported[1].code], [2500, 2, 'invalid_record'])
    const csv = (await call('GET', `/${id}/dead-letters?nodeId=map`, undefined, { accept: 'text/csv' })).text.split(
      '\r\n'
    )
    assert.equal(csv[0], 'id,runId,nodeId,inputId,code,reason,origin,createdAt,replayedAt,record')
    assert.match(csv[1] as string, /^dl_.*,map,,invalid_value,.*"\{""n"":""none""/)
    const accept = { accept: 'text/csv' }
    const numbers = (await call('GET', `/${id}/dead-letters?nodeId=strict`, undefined, accept)).text.split('\r\n')
    assert.match(numbers[1] as string, /"\{""n"":2,""t"":""=1\+1""\}"$/)

    assert.equal((await call('DELETE', `/${id}/dead-letters?before=${between}&nodeId=strict`)).body.deleted, 2500)
    assert.deepEqual((await call('GET', `/${id}/dead-letters/summary`)).body.waiting, 1)
    const trail = await test.call('GET', '/api/audit/logs?action=dead-letter.delete', { as: 'admin' })
    assert.deepEqual(trail.body.logs[0].changes.deleted, { from: 0, to: 2500 })
    await stop(id)
  })

  it('are put through between the batches of a pipeline that runs, those that fail are dead letters again', async () => {
    const nodes = [
      { id: 'in', type: 'webhook' },
      map({ n: 'n', v: 'v::INTEGER' }),
      { id: 'low', type: 'filter', config: { where: 'v < 100' }, inputs: ['map'] },
      out('running/', 'low')
    ]
    const id = await make('running', nodes)
    await start(id, 'running')
    const bad = [
      { n: 1, v: 'x1' },
      { n: 2, v: 'y' },
      { n: 3, v: 'x3' }
    ]
    await call('POST', `/${id}/nodes/in/records`, bad)
    const wrong = await call('POST', `/${id}/dead-letters/replay`, { set: { v: 'sum(v)' } })
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/set/v'])
    const set = { v: 'substr(v, 2)::INTEGER::VARCHAR' }
    const answer = await replay(id, { set, nodeId: 'map' })
    assert.deepEqual([answer.replayed, answer.waiting], [3, 1])
    const { deadLetters } = (await call('GET', `/${id}/dead-letters?replayed=false`)).body
    assert.match(deadLetters[0].reason, /^The correction fails: /)
    assert.deepEqual([deadLetters[0].record.n, (await call('GET', `/${id}/runs`)).body.total], [2, 1])
    // A node that is gone, and a record that never was one.
    await stop(id)
    const other = [
      nodes[0],
      { ...(nodes[1] as object), id: 'map2' },
      { id: 'low', type: 'filter', config: { where: 'v < 100' }, inputs: ['map2'] },
      nodes[3]
    ]
    assert.equal((await call('PUT', `/${id}`, { nodes: other })).status, 200)
    const skipped = await replay(id)
    assert.deepEqual([skipped.replayed, skipped.skippedCount, skipped.skipped[0].code], [0, 1, 'no_such_node'])
    assert.deepEqual(
      (await written('running/')).map(({ n }) => n),
      [1, 3]
    )
  })

  it('leave a run that fails with its own error, and its pipeline as it was', async () => {
    const source = { id: 'in', type: 'generate', config: { count: 3, fields: { n: 'n', v: "'x' || n" } } }
    const id = await make('failing', [source, map({ v: 'v::INTEGER' }), out('failing/', 'map')])
    await start(id, 'completed')
    assert.equal(
      (await call('PUT', `/${id}`, { nodes: [source, map({ v: 'w::INTEGER' }), out('failing/', 'map')] })).status,
      200
    )
    const answer = await call('POST', `/${id}/dead-letters/replay`)
    assert.deepEqual([answer.status, answer.body.cause, answer.body.nodeId], [422, 'sql_error', 'map'])
    const run = (await call('GET', `/${id}/runs/${answer.body.runId}`)).body
    assert.deepEqual([run.status, run.error.code, run.kind], ['failed', 'sql_error', 'replay'])
    const { body } = await call('GET', `/${id}`)
    assert.deepEqual([body.status, body.error, body.run.number], ['completed', null, 1])
    assert.equal((await call('GET', `/${id}/dead-letters?replayed=false`)).body.total, 3)
  })

  it('of a source whose types are told are corrected and go on as if it had read them so', async () => {
    const csv = 'n,celsius\n1,20.5\n2,"61,5"\n3,n/a\n'
    const as = 'editor' as const
    const put = { as, body: csv, headers: { 'content-type': 'text/csv' } }
    await test.call('PUT', '/api/buckets/letters/objects/told%2Fin.csv', put)
    const config = { reference: 'object://letters/told/in.csv', columns: { celsius: 'DOUBLE' } }
    const id = await make('told', [
      { id: 'in', type: 'file', config },
      { id: 'warm', type: 'filter', config: { where: 'celsius > 0' }, inputs: ['in'] },
      out('told-out/', 'warm')
    ])
    await start(id, 'completed')
    const { deadLetters } = (await call('GET', `/${id}/dead-letters?sort=createdAt`)).body
    assert.deepEqual(
      deadLetters.map(({ nodeId, code, reason, origin }: Record<string, unknown>) => [nodeId, code, reason, origin]),
      [
        [
          'in',
          'wrong_type',
          'celsius: expected DOUBLE, got "61,5"',
          { object: 'object://letters/told/in.csv', line: 3 }
        ],
        ['in', 'wrong_type', 'celsius: expected DOUBLE, got "n/a"', { object: 'object://letters/told/in.csv', line: 4 }]
      ]
    )
    const set = { celsius: "replace(celsius, ',', '.')" }
    const { tried } = (await call('POST', `/${id}/dead-letters/try`, { set })).body
    assert.deepEqual(
      tried.map(({ written: arrives, refused }: Record<string, unknown[]>) => [arrives?.length, refused?.length]),
      [
        [1, 0],
        [0, 1]
      ]
    )
    for (const [wrong, pointer] of [
      [{ celcius: '1' }, '/set/celcius'],
      [{ celsius: 'celcius' }, '/set/celsius']
    ] as const) {
      for (const path of ['replay', 'try']) {
        const answer = await call('POST', `/${id}/dead-letters/${path}`, { set: wrong })
        assert.deepEqual([answer.status, answer.body.errors[0].pointer], [400, pointer])
        assert.match(answer.body.errors[0].message, /celcius: no record .* has such a column.*; there is celsius/)
      }
    }
    const { replayed, waiting } = await replay(id, { set })
    assert.deepEqual([replayed, waiting], [2, 1])
    assert.deepEqual(
      (await written('told-out/')).map(({ n, celsius }) => [n, celsius]),
      [
        [1, 20.5],
        [2, 61.5]
      ]
    )
  })

  it('of a source whose types are told lose nothing when they are put through as they are', async () => {
    const as = 'editor' as const
    const put = { as, body: '{"n":1.5,"t":7}\n{"n":2,"t":8}\n', headers: { 'content-type': 'application/x-ndjson' } }
    await test.call('PUT', '/api/buckets/letters/objects/exact%2Fin.ndjson', put)
    const config = { reference: 'object://letters/exact/in.ndjson', columns: { n: 'BIGINT', t: 'VARCHAR' } }
    const id = await make('exact', [{ id: 'in', type: 'file', config }, out('exact-out/', 'in')])
    await start(id, 'completed')
    const { tried } = (await call('POST', `/${id}/dead-letters/try`)).body
    assert.deepEqual([tried[0].written, tried[0].refused.length], [[], 1])
    const { replayed, waiting } = await replay(id)
    assert.deepEqual([replayed, waiting], [1, 1])
    const set = { n: 'n * 2' }
    assert.deepEqual(
      (await call('POST', `/${id}/dead-letters/try`, { set })).body.tried[0].written.map(
        ({ record }: { record: unknown }) => record
      ),
      [{ n: 3, t: '7' }]
    )
    await replay(id, { set })
    assert.deepEqual(
      (await written('exact-out/')).map(({ n, t }) => [n, t]),
      [
        [2, '8'],
        [3, '7']
      ]
    )
  })

  it('go back to the input that they came from, however long they are', async () => {
    const side = (id: string, fields: object) => ({ id, type: 'generate', config: { count: 2, fields } })
    const nodes = [
      side('left', {
        k: 'n',
        at: "CASE n WHEN 0 THEN 'soon' ELSE '2026-01-01T00:00:00Z' END",
        long: "repeat('x', 100000)"
      }),
      side('right', { k: 'n', at: "'2026-01-01T00:00:00Z'" }),
      {
        id: 'join',
        type: 'join',
        config: { on: ['k'], kind: 'inner', within: '1h', time: { left: 'at', right: 'at' } },
        inputs: ['left', 'right']
      },
      out('long/', 'join')
    ]
    const id = await make('long', nodes)
    await start(id, 'completed')
    const { deadLetters } = (await call('GET', `/${id}/dead-letters`)).body
    assert.deepEqual(
      deadLetters.map(({ nodeId, inputId, recordTruncated }: Record<string, unknown>) => [
        nodeId,
        inputId,
        recordTruncated
      ]),
      [['join', 'left', true]]
    )
    const { replayed, skippedCount } = await replay(id, { set: { at: "'2026-01-01T00:00:00Z'" } })
    assert.deepEqual([replayed, skippedCount], [1, 0])
  })
})
