import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { LineageWorld } from '../../../../test/support/lineage-world.ts'
import {
  loadProducer,
  missingProducer,
  type ProducedEvent,
  type Producer
} from '../../../../test/support/servers/openlineage-producer.ts'
import { datasetReference } from '../references.ts'

const NAMESPACE = 'postgres://db:5432'
const table = (name: string, ...columns: string[]) => ({
  name,
  columns: columns.map((column) => ({ name: column, type: 'text' }))
})
const schema = {
  tables: [
    table('orders', 'id', 'customer', 'amount', 'at'),
    table('customers', 'id', 'name', 'mail'),
    table('countries', 'code', 'name')
  ]
}

/** By the dialect that they are written in. */
const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  postgres: [
    'INSERT INTO sales SELECT o.id, c.name AS who, o.amount * 2 AS twice FROM orders o JOIN customers c ON c.id = o.customer',
    'CREATE TABLE daily AS SELECT date(at) AS day, sum(amount) AS total FROM orders GROUP BY 1',
    'CREATE TABLE everybody AS SELECT name, mail FROM customers UNION ALL SELECT name, code FROM countries',
    `CREATE TABLE best AS WITH ranked AS (SELECT id, customer, row_number() OVER (PARTITION BY customer ORDER BY amount) AS n
      FROM orders) SELECT id, n FROM ranked WHERE n = 1`,
    "CREATE TABLE cases AS SELECT id, CASE WHEN amount > 9 THEN 'much' ELSE mail END AS word FROM orders JOIN customers USING (id)"
  ],
  mysql: ['INSERT INTO `sales` SELECT concat(`id`, `name`) AS label FROM `customers`'],
  bigquery: ['CREATE TABLE sums AS SELECT customer, SUM(amount) AS total FROM orders GROUP BY customer'],
  snowflake: [
    'CREATE TABLE copied AS SELECT id, amount::string AS amount FROM orders QUALIFY row_number() OVER (ORDER BY at) = 1'
  ]
}
const all = Object.entries(STATEMENTS).flatMap(([dialect, some]) => some.map((sql) => ({ dialect, sql })))

describe('events of a producer of others', { skip: missingProducer() }, () => {
  let world: LineageWorld
  let producer: Producer
  before(async () => {
    world = await LineageWorld.start()
    producer = await loadProducer()
  })
  after(() => world.close())

  /** Made and sent as it makes them, to where clients of OpenLineage send. */
  async function send({ event, error }: ReturnType<Producer['openLineageRunEvent']>): Promise<ProducedEvent> {
    assert.ok(event !== null, String(error))
    const { status, body } = await world.test.call('POST', '/api/v1/lineage', { as: 'editor', body: event })
    assert.deepEqual([status, body], [200, { accepted: 1, rejected: 0, errors: [], warnings: [] }])
    return event
  }

  const options = (dialect: string, n: number, more: object = {}) => ({
    dialect,
    schema,
    producer: 'https://example.org/producer',
    datasetNamespace: `${NAMESPACE}/${n}`,
    jobNamespace: 'others',
    jobName: `job ${n}`,
    eventTime: '2026-03-01T08:00:00.000Z',
    ...more
  })
  const nodeOf = ({ namespace, name }: { namespace: string; name: string }) => datasetReference(namespace, name)

  /** That the lineage says of each column what the event did. */
  async function assertSame({ inputs, outputs }: ProducedEvent): Promise<void> {
    for (const output of outputs) {
      const { nodes } = await world.get(`upstream/${encodeURIComponent(nodeOf(output))}`)
      const ids = nodes.map(({ id }: { id: string }) => id)
      for (const input of inputs) assert.ok(ids.includes(nodeOf(input)), `${nodeOf(input)} in ${ids}`)
      const { fields } = output.facets.columnLineage
      assert.notEqual(Object.keys(fields).length, 0)
      for (const [column, { inputFields }] of Object.entries(fields)) {
        const root = `root=${encodeURIComponent(nodeOf(output))}&column=${encodeURIComponent(column)}`
        const { columns } = await world.get(`columns?${root}&direction=upstream`)
        const found = columns
          .filter(({ distance }: { distance: number }) => distance > 0)
          .map(({ id, column: name }: { id: string; column: string }) => `${id} ${name}`)
        const told = inputFields.map((input) => `${nodeOf(input)} ${input.field}`)
        assert.deepEqual(found.sort(), [...new Set(told)].sort(), `${column} of ${output.name}`)
      }
    }
  }

  it('of runs are taken as they are sent, and every column comes from where they say', async () => {
    for (const [n, { dialect, sql }] of all.entries()) {
      const runId = `0192f0c1-7c1d-7000-8000-${String(n).padStart(12, '0')}`
      const event = (eventType: string) =>
        send(producer.openLineageRunEvent(sql, options(dialect, n, { runId, eventType })))
      await event('START')
      await assertSame(await event('COMPLETE'))
    }
  })

  it('of jobs that have not run are taken too', async () => {
    for (const [n, { dialect, sql }] of all.entries())
      await assertSame(await send(producer.openLineageJobEvent(sql, options(dialect, 100 + n))))
  })
})
