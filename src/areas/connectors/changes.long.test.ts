import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ConnectedDatabase } from '../../../test/support/connected-database.ts'
import { eventually } from '../../../test/support/eventually.ts'

describe('changes of a connector in a pipeline', () => {
  let database: ConnectedDatabase
  before(async () => {
    database = await ConnectedDatabase.start(
      'stock',
      'CREATE TABLE stock (id bigint PRIMARY KEY, amount integer)',
      'INSERT INTO stock SELECT n, n FROM generate_series(1, 100) n'
    )
  })
  after(() => database.stop())

  const call = (...asked: Parameters<ConnectedDatabase['call']>) => database.call(...asked)

  it('are the rows that are there, and then every insert, update and delete, also after a stop', async () => {
    const { connectorId } = database
    const { id } = await call('POST', '/pipelines', {
      name: 'stock',
      nodes: [
        { id: 'in', type: 'stream', config: { connectorId, stream: 'public.stock', changes: true } },
        { id: 'out', type: 'object', config: { bucket: 'copies', prefix: 'stock/', format: 'parquet' }, inputs: ['in'] }
      ]
    })
    const written = (records: number) =>
      eventually(async () => {
        const { run, status, error } = await call('GET', `/pipelines/${id}`)
        assert.equal(run?.ledger.recordsWritten, records, `${status} ${JSON.stringify(error)}`)
      }, 60_000)
    await call('POST', `/pipelines/${id}/start`)
    await written(100)
    await database.execute(
      'INSERT INTO stock VALUES (101, 1)',
      'UPDATE stock SET amount = 0 WHERE id = 1',
      'DELETE FROM stock WHERE id = 2'
    )
    await written(103)
    await call('POST', `/pipelines/${id}/stop`)
    await eventually(async () => assert.equal((await call('GET', `/pipelines/${id}`)).status, 'stopped'), 60_000)
    await database.execute('DELETE FROM stock WHERE id = 3')
    await call('POST', `/pipelines/${id}/start`)
    await written(1)
    await call('POST', `/pipelines/${id}/stop`)
  })
})
