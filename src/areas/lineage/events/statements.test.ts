import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { LineageWorld } from '../../../../test/support/lineage-world.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import type { StatementLineage } from '../../../engines/sql-lineage/index.ts'
import { Problem } from '../errors.ts'
import { sightingsOf } from '../openlineage/reading.ts'
import type { Told } from '../openlineage/told.ts'
import { StatementReader } from '../sql/reader.ts'
import { StatementsIn } from './statements.ts'

const PRODUCER = 'https://example.org/producer'
const NAMESPACE = 'postgres://db:5432'
const about = { _producer: PRODUCER, _schemaURL: PRODUCER }
const table = (name: string, columns?: readonly string[], namespace = NAMESPACE) => ({
  namespace,
  name,
  ...(columns && { facets: { schema: { ...about, fields: columns.map((column) => ({ name: column })) } } })
})

interface Parts {
  readonly inputs?: object[]
  readonly outputs?: object[]
  readonly eventType?: string
  readonly dialect?: string
}

function event(query: string, { inputs, outputs, eventType = 'COMPLETE', dialect }: Parts = {}, name = 'load') {
  return {
    eventType,
    eventTime: '2026-02-01T12:00:00Z',
    producer: PRODUCER,
    schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
    run: { runId: '0192f0c1-7c1d-7000-8000-000000000001' },
    job: { namespace: 'airflow', name, facets: { sql: { ...about, query, ...(dialect && { dialect }) } } },
    inputs: inputs ?? [table('shop.public.orders')],
    outputs: outputs ?? [table(`shop.public.${name}`)]
  }
}

describe('SQL in events', () => {
  let world: LineageWorld
  before(async () => {
    world = await LineageWorld.start()
  })
  after(() => world.close())

  async function send(...events: object[]) {
    const { status, body, text } = await world.test.call('POST', '/api/v1/lineage', { as: 'editor', body: events })
    assert.deepEqual([status, body.accepted], [200, events.length], text)
    return body.warnings as { position: number; message: string }[]
  }
  /** `orders.mail → who computed`, of what a table comes from. */
  async function upstream(name: string, column: string, namespace = NAMESPACE) {
    const root = `dataset://${encodeURIComponent(namespace)}/${name}`
    const path = `columns?root=${encodeURIComponent(root)}&column=${column}&direction=upstream&depth=1&influences=true`
    const { edges } = await world.get(path)
    return edges.map(
      ({ from, to, kind, provenance }: ColumnEdge) =>
        `${from.id.split('/').at(-1)}.${from.column} → ${to.column} ${kind} ${provenance.map(({ how, who }) => `${how} ${who}`)}`
    )
  }
  interface ColumnEdge {
    from: { id: string; column: string }
    to: { column: string | null }
    kind: string
    provenance: { how: string; who: string }[]
  }

  it('tells from which columns others come, where the event does not', async () => {
    const sql = 'INSERT INTO Load (who) SELECT lower(mail) FROM public.orders'
    assert.deepEqual(await send(event(sql)), [])
    assert.deepEqual(await upstream('shop.public.load', 'who'), [
      `shop.public.orders.mail → who computed parsed ${PRODUCER}`
    ])
    const edges = (await world.get(`upstream/${encodeURIComponent('job://airflow/load')}`)).edges
    assert.deepEqual(
      edges[0].provenance.map(({ how }: { how: string }) => how),
      ['openlineage', 'parsed']
    )
  })

  it('knows columns from the event, and tables that the event leaves out by their names in full', async () => {
    const sql = 'SELECT o.*, p.age FROM orders o JOIN shop.public.people p USING (id)'
    const parts = { inputs: [table('shop.public.orders', ['id', 'mail'])] }
    assert.deepEqual(await send(event(sql, parts, 'wide')), [])
    assert.match((await upstream('shop.public.wide', 'mail')).join(), /orders\.mail → mail identity/)
    assert.match((await upstream('shop.public.wide', 'age')).join(), /shop\.public\.people\.age → age identity/)
  })

  it('is read as its dialect says, or the namespace', async () => {
    const bigquery = {
      inputs: [table('p.d.t', undefined, 'bigquery')],
      outputs: [table('p.d.u', undefined, 'bigquery')]
    }
    await send(event('CREATE TABLE `p.d.u` AS SELECT a AS b FROM `p.d.t`', bigquery, 'bq'))
    assert.match((await upstream('p.d.u', 'b', 'bigquery')).join(), /p\.d\.t\.a → b identity/)
    const mysql = {
      inputs: [table('shop.t', undefined, 'x')],
      outputs: [table('shop.u', undefined, 'x')],
      dialect: 'MySQL'
    }
    await send(event('INSERT INTO `u` (`b`) SELECT `a` FROM `shop`.`t`', mysql, 'my'))
    assert.match((await upstream('shop.u', 'b', 'x')).join(), /shop\.t\.a → b identity/)
  })

  it('keeps no event out that it is not understood of, and says what is not', async () => {
    const select = 'SELECT mail FROM orders'
    const warnings = await send(
      event('INSERT INTO load SELEC'),
      event(select),
      event(select, { dialect: 'snowflake' }),
      event('INSERT INTO elsewhere (a) SELECT mail FROM orders'),
      event('INSERT INTO load (a) SELECT mail FROM orders', { inputs: [table('a.b.orders'), table('c.d.orders')] }),
      event(select, { outputs: [table('a.b.one'), table('a.b.two')] })
    )
    assert.deepEqual(
      warnings.map(({ position }) => position),
      [0, 2, 3, 4, 5]
    )
    const all = warnings.map(({ message }) => message).join('\n')
    for (const words of [
      /can not be read/,
      /only that of postgres,/,
      /writes elsewhere, and the event/,
      /orders, which is not known by one name/,
      /writes nothing, and the event/
    ])
      assert.match(all, words)
  })
})

const NOTHING: StatementLineage = { reads: [], writes: null, outputs: [], rows: [], notUnderstood: [] }
const told = (...parts: Parameters<typeof event>) => sightingsOf(event(...parts), { bucketOf: () => undefined }) as Told

describe('whether SQL in an event is read', () => {
  const clock = new ManualClock()
  const statements = () => new StatementsIn({ clock, readStatement: async () => NOTHING })

  it('depends on whether the run is whole, and names outputs and no columns', () => {
    const isIn = (one: Told) => statements().isIn(one)
    assert.equal(isIn(told('SELECT 1')), true)
    assert.equal(isIn(told('SELECT 1', { eventType: 'START' })), false)
    assert.equal(isIn(told('SELECT 1', { eventType: 'FAIL' })), false)
    assert.equal(isIn(told('SELECT 1', { outputs: [] })), false)
    assert.equal(isIn({ ...told('SELECT 1'), statement: undefined }), false)
    const fields = { b: { inputFields: [{ namespace: NAMESPACE, name: 'a', field: 'a' }] } }
    const output = { namespace: NAMESPACE, name: 'b', facets: { columnLineage: { ...about, fields } } }
    assert.equal(isIn(told('SELECT 1', { outputs: [output] })), false)
  })

  it('ends when the statements of a request have taken long, and where there is no place to read them', async () => {
    const slow = new StatementsIn({
      clock,
      readStatement: async () => {
        clock.advance(3000)
        return NOTHING
      }
    })
    for (let at = 0; at < 3; at++) await slow.readIn(told('SELECT 1'), at)
    assert.deepEqual([slow.warnings.length, slow.warnings[0]?.position], [1, 2])
    assert.match(slow.warnings[0]?.message ?? '', /has taken 5000 ms/)
    const busy = new StatementsIn({ clock, readStatement: () => Promise.reject(new Problem('overloaded')) })
    for (let at = 0; at < 200; at++) assert.equal((await busy.readIn(told('SELECT 1'), at)).sightings.length, 1)
    assert.equal(busy.warnings.length, 100)
  })
})

it('a statement is read once for the same columns', async () => {
  let read = 0
  const reader = new StatementReader({
    lineage: async () => {
      read += 1
      return NOTHING
    }
  })
  const asked = { sql: 'SELECT 1', dialect: 'duckdb', signal: new AbortController().signal } as const
  for (const known of [{}, { t: ['a'] }, {}]) assert.deepEqual(await reader.read({ ...asked, known }), NOTHING)
  assert.equal(read, 2)
  await reader.close()
})
