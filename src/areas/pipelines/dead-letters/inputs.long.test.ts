import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Letters, openLetters } from '../../../../test/support/pipelines/letters.ts'

describe('dead letters and the inputs that they came from', () => {
  let letters: Letters

  before(async () => {
    letters = await openLetters()
  })
  after(() => letters.close())

  it('of a source whose types are told are corrected and go on as if it had read them so', async () => {
    const csv = 'n,celsius\n1,20.5\n2,"61,5"\n3,n/a\n'
    const as = 'editor' as const
    const put = { as, body: csv, headers: { 'content-type': 'text/csv' } }
    await letters.test.call('PUT', '/api/buckets/letters/objects/told%2Fin.csv', put)
    const config = { reference: 'object://letters/told/in.csv', columns: { celsius: 'DOUBLE' } }
    const id = await letters.make('told', [
      { id: 'in', type: 'file', config },
      { id: 'warm', type: 'filter', config: { where: 'celsius > 0' }, inputs: ['in'] },
      letters.out('told-out/', 'warm')
    ])
    await letters.start(id, 'completed')
    const { deadLetters } = (await letters.call('GET', `/${id}/dead-letters?sort=createdAt`)).body
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
    const { tried } = (await letters.call('POST', `/${id}/dead-letters/try`, { set })).body
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
        const answer = await letters.call('POST', `/${id}/dead-letters/${path}`, { set: wrong })
        assert.deepEqual([answer.status, answer.body.errors[0].pointer], [400, pointer])
        assert.match(answer.body.errors[0].message, /celcius: no record .* has such a column.*; there is celsius/)
      }
    }
    const { replayed, waiting } = await letters.replay(id, { set })
    assert.deepEqual([replayed, waiting], [2, 1])
    assert.deepEqual(
      (await letters.written('told-out/')).map(({ n, celsius }) => [n, celsius]),
      [
        [1, 20.5],
        [2, 61.5]
      ]
    )
  })

  it('of a source whose types are told lose nothing when they are put through as they are', async () => {
    const as = 'editor' as const
    const put = { as, body: '{"n":1.5,"t":7}\n{"n":2,"t":8}\n', headers: { 'content-type': 'application/x-ndjson' } }
    await letters.test.call('PUT', '/api/buckets/letters/objects/exact%2Fin.ndjson', put)
    const config = { reference: 'object://letters/exact/in.ndjson', columns: { n: 'BIGINT', t: 'VARCHAR' } }
    const id = await letters.make('exact', [{ id: 'in', type: 'file', config }, letters.out('exact-out/', 'in')])
    await letters.start(id, 'completed')
    const { tried } = (await letters.call('POST', `/${id}/dead-letters/try`)).body
    assert.deepEqual([tried[0].written, tried[0].refused.length], [[], 1])
    const { replayed, waiting } = await letters.replay(id)
    assert.deepEqual([replayed, waiting], [1, 1])
    const set = { n: 'n * 2' }
    assert.deepEqual(
      (await letters.call('POST', `/${id}/dead-letters/try`, { set })).body.tried[0].written.map(
        ({ record }: { record: unknown }) => record
      ),
      [{ n: 3, t: '7' }]
    )
    await letters.replay(id, { set })
    assert.deepEqual(
      (await letters.written('exact-out/')).map(({ n, t }) => [n, t]),
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
      letters.out('long/', 'join')
    ]
    const id = await letters.make('long', nodes)
    await letters.start(id, 'completed')
    const { deadLetters } = (await letters.call('GET', `/${id}/dead-letters`)).body
    assert.deepEqual(
      deadLetters.map(({ nodeId, inputId, recordTruncated }: Record<string, unknown>) => [
        nodeId,
        inputId,
        recordTruncated
      ]),
      [['join', 'left', true]]
    )
    const { replayed, skippedCount } = await letters.replay(id, { set: { at: "'2026-01-01T00:00:00Z'" } })
    assert.deepEqual([replayed, skippedCount], [1, 0])
  })
})
