import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { type Letters, openLetters } from '../../../../test/support/pipelines/letters.ts'

describe('dead letters', () => {
  let letters: Letters

  before(async () => {
    letters = await openLetters()
  })
  after(() => letters.close())

  it('go on in a run of their own once a pipeline has completed, and no source is read again', async () => {
    const fields = { n: 'n', v: "CASE WHEN n % 1000 = 7 THEN 'x' || n ELSE n::VARCHAR END" }
    const source = { id: 'in', type: 'generate', config: { count: 20_000, fields } }
    const id = await letters.make('completed', [
      source,
      letters.map({ n: 'n', v: 'v::INTEGER' }),
      letters.out('completed/', 'map')
    ])
    const first = (await letters.start(id, 'completed')).run
    assert.deepEqual([first.kind, first.ledger.recordsRead, first.ledger.recordsDeadLettered], ['normal', 20_000, 20])
    const nodes = [source, letters.map({ n: 'n', v: "replace(v, 'x', '')::INTEGER" }), letters.out('completed/', 'map')]
    assert.equal((await letters.call('PUT', `/${id}`, { nodes })).status, 200)
    const { runId, ...answer } = await letters.replay(id)
    assert.deepEqual(answer, { replayed: 20, skipped: [], skippedCount: 0, waiting: 0 })

    const pipeline = (await letters.call('GET', `/${id}`)).body
    assert.deepEqual([pipeline.status, pipeline.run.id, pipeline.version], ['completed', first.id, 2])
    const run = (await letters.call('GET', `/${id}/runs/${runId}`)).body
    assert.deepEqual(
      [run.kind, run.status, run.number, run.version, run.error, run.balanced],
      ['replay', 'completed', 2, 2, null, true]
    )
    assert.deepEqual([run.ledger.recordsRead, run.ledger.recordsWritten], [20, 20])
    assert.equal((await letters.call('GET', `/${id}/runs?kind=replay`)).body.total, 1)
    const rows = await letters.written('completed/')
    assert.deepEqual([rows.length, new Set(rows.map(({ n }) => n)).size], [20_000, 20_000])
    assert.ok(rows.every(({ n, v }) => n === v))
    // And the next one begins at the beginning, as it would have.
    assert.equal((await letters.start(id, 'completed')).run.ledger.recordsRead, 20_000)
    assert.deepEqual(
      [(await letters.replay(id)).runId, (await letters.replay(id, { nodeId: 'map' })).replayed],
      [null, 0]
    )
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
      letters.map({ n: 'n', t: 't::TIMESTAMP', v: 'v::DOUBLE' }),
      once,
      aggregate,
      letters.out('stopped/', 'sum')
    ]
    const id = await letters.make('stopped', nodes)
    const feed = (records: object[]) => letters.call('POST', `/${id}/nodes/in/records`, records)
    await letters.start(id, 'running')
    const t = '2026-03-09T13:10:00'
    await feed([{ n: 1, t, v: '1' }])
    await feed([{ n: 2, t, v: '2,5' }])
    const stopped = (await letters.stop(id)).run
    const trial = await letters.call('POST', `/${id}/dead-letters/try`, { set: { v: "replace(v, ',', '.')" } })
    assert.equal(trial.status, 200, trial.text)
    const { tried, isTimeUp } = trial.body
    assert.equal(isTimeUp, false)
    assert.deepEqual(
      [tried.length, tried[0].record.v, tried[0].corrected.v, tried[0].refused, tried[0].written[0].record.total],
      [1, '2,5', '2.5', [], 2.5]
    )
    assert.equal((await letters.call('POST', `/${id}/dead-letters/try`)).body.tried[0].refused[0].code, 'invalid_value')
    // A node that has become another begins anew with the replay, and not once more with the next start.
    const changed = nodes.map((node) => (node === once ? { ...once, config: { by: ['n', 't'] } } : node))
    assert.equal((await letters.call('PUT', `/${id}`, { nodes: changed })).status, 200)
    const answer = await letters.replay(id, { set: { v: "replace(v, ',', '.')" } })
    assert.deepEqual([answer.replayed, answer.waiting], [1, 0])
    const after = (await letters.call('GET', `/${id}`)).body
    assert.deepEqual([after.status, after.run.id], ['stopped', stopped.id])
    assert.deepEqual(await letters.written('stopped/').catch(() => []), [], 'the window stays open')
    await letters.start(id, 'running')
    // The second comes again and is known; the last closes the window.
    await feed([
      { n: 2, t, v: '100' },
      { n: 3, t: '2026-03-09T15:00:00', v: '1' }
    ])
    await letters.stop(id)
    const [window] = await letters.written('stopped/')
    assert.deepEqual([window?.total, window?.count], [3.5, 2])
  })

  it('are listed, counted, exported and given up by what they have in common', async () => {
    const schema = { type: 'object', properties: { n: { type: 'number', maximum: 1 } } }
    const strict = { id: 'strict', type: 'validate', config: { schema }, inputs: ['map'] }
    const id = await letters.make('many', [
      { id: 'in', type: 'webhook' },
      letters.map({ n: 'n::DOUBLE', t: 't' }),
      strict,
      letters.out('many/', 'strict')
    ])
    const feed = (records: object[]) => letters.call('POST', `/${id}/nodes/in/records`, records)
    await letters.start(id, 'running')
    await feed(Array.from({ length: 2500 }, (_, i) => ({ n: i + 2, t: '=1+1' })))
    const between = new Date(Date.now() + 1).toISOString()
    await eventually(() => Date.now() > Date.parse(between))
    await feed([{ n: 'none', t: '' }])
    const list = async (query: string) => (await letters.call('GET', `/${id}/dead-letters?${query}`)).body
    assert.deepEqual([(await list('nodeId=map')).total, (await list('code=invalid_record')).total], [1, 2500])
    assert.deepEqual([(await list(`before=${between}`)).total, (await list(`after=${between}`)).total], [2500, 1])
    const [{ runId }] = (await list('limit=1')).deadLetters
    assert.deepEqual([(await list(`runId=${runId}`)).total, (await list('runId=run_none')).total], [2501, 0])
    const wrong = async (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => {
      const answer = await letters.call(method, `/${id}/dead-letters${path}`, body)
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

    const summary = (await letters.call('GET', `/${id}/dead-letters/summary`)).body
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
      await letters.call('GET', `/${id}/dead-letters?nodeId=strict`, undefined, { accept: 'application/x-ndjson' })
    ).text
    const exported = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual([exported.length, exported[0].record.n, exported[1].code], [2500, 2, 'invalid_record'])
    const csv = (
      await letters.call('GET', `/${id}/dead-letters?nodeId=map`, undefined, { accept: 'text/csv' })
    ).text.split('\r\n')
    assert.equal(csv[0], 'id,runId,nodeId,inputId,code,reason,origin,createdAt,replayedAt,record')
    assert.match(csv[1] as string, /^dl_.*,map,,invalid_value,.*"\{""n"":""none""/)
    const accept = { accept: 'text/csv' }
    const numbers = (await letters.call('GET', `/${id}/dead-letters?nodeId=strict`, undefined, accept)).text.split(
      '\r\n'
    )
    assert.match(numbers[1] as string, /"\{""n"":2,""t"":""=1\+1""\}"$/)

    assert.equal(
      (await letters.call('DELETE', `/${id}/dead-letters?before=${between}&nodeId=strict`)).body.deleted,
      2500
    )
    assert.deepEqual((await letters.call('GET', `/${id}/dead-letters/summary`)).body.waiting, 1)
    const trail = await letters.test.call('GET', '/api/audit/logs?action=dead-letter.delete', { as: 'admin' })
    assert.deepEqual(trail.body.logs[0].changes.deleted, { from: 0, to: 2500 })
    await letters.stop(id)
  })

  it('are put through between the batches of a pipeline that runs, those that fail are dead letters again', async () => {
    const nodes = [
      { id: 'in', type: 'webhook' },
      letters.map({ n: 'n', v: 'v::INTEGER' }),
      { id: 'low', type: 'filter', config: { where: 'v < 100' }, inputs: ['map'] },
      letters.out('running/', 'low')
    ]
    const id = await letters.make('running', nodes)
    await letters.start(id, 'running')
    const bad = [
      { n: 1, v: 'x1' },
      { n: 2, v: 'y' },
      { n: 3, v: 'x3' }
    ]
    await letters.call('POST', `/${id}/nodes/in/records`, bad)
    const wrong = await letters.call('POST', `/${id}/dead-letters/replay`, { set: { v: 'sum(v)' } })
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, '/set/v'])
    const set = { v: 'substr(v, 2)::INTEGER::VARCHAR' }
    const answer = await letters.replay(id, { set, nodeId: 'map' })
    assert.deepEqual([answer.replayed, answer.waiting], [3, 1])
    const { deadLetters } = (await letters.call('GET', `/${id}/dead-letters?replayed=false`)).body
    assert.match(deadLetters[0].reason, /^The correction fails: /)
    assert.deepEqual([deadLetters[0].record.n, (await letters.call('GET', `/${id}/runs`)).body.total], [2, 1])
    // A node that is gone, and a record that never was one.
    await letters.stop(id)
    const other = [
      nodes[0],
      { ...(nodes[1] as object), id: 'map2' },
      { id: 'low', type: 'filter', config: { where: 'v < 100' }, inputs: ['map2'] },
      nodes[3]
    ]
    assert.equal((await letters.call('PUT', `/${id}`, { nodes: other })).status, 200)
    const skipped = await letters.replay(id)
    assert.deepEqual([skipped.replayed, skipped.skippedCount, skipped.skipped[0].code], [0, 1, 'no_such_node'])
    assert.deepEqual(
      (await letters.written('running/')).map(({ n }) => n),
      [1, 3]
    )
  })

  it('leave a run that fails with its own error, and its pipeline as it was', async () => {
    const source = { id: 'in', type: 'generate', config: { count: 3, fields: { n: 'n', v: "'x' || n" } } }
    const id = await letters.make('failing', [source, letters.map({ v: 'v::INTEGER' }), letters.out('failing/', 'map')])
    await letters.start(id, 'completed')
    assert.equal(
      (
        await letters.call('PUT', `/${id}`, {
          nodes: [source, letters.map({ v: 'w::INTEGER' }), letters.out('failing/', 'map')]
        })
      ).status,
      200
    )
    const answer = await letters.call('POST', `/${id}/dead-letters/replay`)
    assert.deepEqual([answer.status, answer.body.cause, answer.body.nodeId], [422, 'sql_error', 'map'])
    const run = (await letters.call('GET', `/${id}/runs/${answer.body.runId}`)).body
    assert.deepEqual([run.status, run.error.code, run.kind], ['failed', 'sql_error', 'replay'])
    const { body } = await letters.call('GET', `/${id}`)
    assert.deepEqual([body.status, body.error, body.run.number], ['completed', null, 1])
    assert.equal((await letters.call('GET', `/${id}/dead-letters?replayed=false`)).body.total, 3)
  })
})
