import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import { LineageWorld } from '../../../../test/support/lineage-world.ts'
import { hasRows } from '../../../engines/metadata/index.ts'
import { nodeKey } from '../references.ts'

const T = Date.UTC(2026, 0, 1)
const lake = (name: string) => ({ namespace: 'object://lake', name })

interface EventOrder {
  readonly run: number
  readonly ms?: number
  readonly input?: string
  readonly output: string
  /** What becomes of the column `a` of the input. */
  readonly kind?: 'masked' | 'identity'
}

/** An event of a job that ends a run, in the words of OpenLineage. */
function eventOf({ run, ms = 0, input = 's.csv', output, kind }: EventOrder) {
  const transformations = [{ type: 'DIRECT', subtype: 'IDENTITY', masking: kind === 'masked' }]
  const columnLineage = { fields: { a: { inputFields: [{ ...lake(input), field: 'a', transformations }] } } }
  return {
    eventType: 'COMPLETE',
    eventTime: new Date(T + ms).toISOString(),
    producer: 'https://example.org/etl',
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json',
    run: { runId: `00000000-0000-4000-8000-00000000000${run}` },
    job: { namespace: 'etl', name: output },
    inputs: [lake(input)],
    outputs: [{ ...lake(output), ...(kind !== undefined && { facets: { columnLineage } }) }]
  }
}

describe('columns of what somebody may not see', () => {
  let world: LineageWorld
  const call = (as: 'editor' | 'admin', method: string, path: string, body?: unknown, headers = {}) =>
    world.test.call(method, `/api/${path}`, { as, headers, ...(body !== undefined && { body }) })
  const made = async (method: string, path: string, body?: unknown, headers = {}) => {
    const answer = await call('admin', method, path, body, headers)
    assert.ok(answer.status < 300, answer.text)
    return answer
  }
  const followed = () =>
    eventually(async () => !(await hasRows(world.test.platform.metadata.db.selectFrom('classification_marks'))))
  const download = async (key: string) => {
    await followed()
    return (await call('editor', 'GET', `buckets/lake/objects/${key}`)).status
  }
  const send = async (as: 'editor' | 'admin', order: EventOrder) => {
    const { status, body, text } = await call(as, 'POST', 'lineage/events', eventOf(order))
    assert.equal(status, 200, text)
    return body.warnings.map(({ message }: { message: string }) => message)
  }
  const NOT_TAKEN = /columns of object:\/\/lake\/o.csv are not taken in/

  before(async () => {
    world = await LineageWorld.start()
    await made('POST', 'buckets', { name: 'lake' })
    for (const key of ['s.csv', 'o.csv', 'p.csv', 'q.csv', 'x.csv']) {
      await made('PUT', `buckets/lake/objects/${key}`, 'a,b\n1,2\n', { 'content-type': 'text/csv' })
    }
    await made('POST', 'classification/resources', { resource: 'object://lake/s.csv', level: 'restricted' })
    await send('editor', { run: 5, output: 'o.csv' })
    assert.equal(await download('o.csv'), 403)
  })
  after(() => world.close())

  it('are not taken in, whichever run tells them', async () => {
    for (const [run, ms] of [
      [5, 0],
      [5, -1],
      [9, 0],
      [1, 0],
      [3, -1000],
      [7, 1000]
    ] as const) {
      const [warning] = await send('editor', { run, ms, output: 'o.csv', kind: 'masked' })
      assert.match(warning, NOT_TAKEN, `run ${run}`)
    }
    assert.equal(await download('o.csv'), 403)
    await send('editor', { run: 8, ms: 2000, input: 'x.csv', output: 'o.csv', kind: 'identity' })
    assert.equal(await download('o.csv'), 403)
  })

  it('nor of a silent run of a job that others have told the columns of before', async () => {
    assert.deepEqual(await send('editor', { run: 1, output: 'q.csv', input: 'x.csv', kind: 'identity' }), [])
    assert.deepEqual(await send('editor', { run: 2, ms: 1000, output: 'q.csv' }), [])
    assert.equal(await download('q.csv'), 403)
    const [warning] = await send('editor', { run: 2, ms: 1000, output: 'q.csv', kind: 'masked' })
    assert.match(warning, /columns of object:\/\/lake\/q.csv are not taken in/)
    assert.equal(await download('q.csv'), 403)
  })

  it('nor by a statement, nor by a file', async () => {
    const { status, body, text } = await call('editor', 'POST', 'lineage/sql/record', {
      sql: 'INSERT INTO o SELECT a FROM x',
      job: { namespace: 'etl', name: 'o.csv' },
      tables: {
        o: { reference: 'object://lake/o.csv', columns: ['a'] },
        x: { reference: 'object://lake/x.csv', columns: ['a'] }
      }
    })
    assert.equal(status, 200, text)
    assert.match(JSON.stringify(body.notUnderstood), NOT_TAKEN)
    const [x, o] = [nodeKey('object://lake/x.csv'), nodeKey('object://lake/o.csv')]
    const run = { id: 'r', startMs: T, wholeMs: T, state: 'completed', stateMs: T, error: null }
    const about = { job: 'job://etl/o.csv', how: 'openlineage', who: 'somebody' }
    const lines = [
      { type: 'lineage', version: 1 },
      {
        type: 'runs',
        ...about,
        facts: [
          ['w', o],
          [x, 'a', o, 'a', 'identity']
        ],
        runs: [run]
      },
      { type: 'end', lines: 2 }
    ]
    const file = lines.map((line) => JSON.stringify(line)).join('\n')
    const taken = await call('editor', 'POST', 'lineage/import', file, { 'content-type': 'application/x-ndjson' })
    assert.match(taken.body.errors[0].message, /whose level you may not see/)
    assert.equal(await download('o.csv'), 403)
  })

  it('are taken in of what nobody has told of yet, and from those who may see it', async () => {
    assert.deepEqual(await send('editor', { run: 1, output: 'p.csv', kind: 'identity' }), [])
    await followed()
    const { body } = await call('admin', 'GET', 'classification/effective?resource=object://lake/p.csv')
    assert.deepEqual([body.level, body.columns.map(({ column }: { column: string }) => column)], [null, ['a']])
    assert.deepEqual(await send('admin', { run: 5, ms: -2000, output: 'o.csv', kind: 'masked' }), [])
  })
})
