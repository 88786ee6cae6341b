import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ConnectedDatabase } from '../../../test/support/connected-database.ts'

describe('connectors wherever data are read with SQL', () => {
  let database: ConnectedDatabase
  let dataset: string
  before(async () => {
    database = await ConnectedDatabase.start(
      'people',
      'CREATE TABLE people (id bigint PRIMARY KEY, name text, email text)',
      `INSERT INTO people SELECT n, CASE WHEN n % 10 = 0 THEN NULL ELSE 'person ' || n END, 'p' || n || '@plant.example' FROM generate_series(1, 5000) n`
    )
    dataset = `connector://${database.connectorId}/public.people`
  })
  after(() => database.stop())

  const call = (...asked: Parameters<ConnectedDatabase['call']>) => database.call(...asked)

  it('have rules of data quality', async () => {
    const rule = { name: 'named', dataset, type: 'notNull', config: { column: 'name' } }
    const { id } = await call('POST', '/quality/rules', rule)
    const { status, rowsChecked, rowsFailed } = await call('POST', `/quality/rules/${id}/evaluate`)
    assert.deepEqual([status, rowsChecked, rowsFailed], ['failed', 5000, 500])
  })
})
