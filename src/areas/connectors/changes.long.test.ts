import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { ConnectedDatabase } from '../../../test/support/connected-database.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { checkPipelines } from '../pipelines/health/examine.ts'

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
    await eventually(async () => assert.equal((await call('GET', `/pipelines/${id}`)).status, 'stopped'))
    await database.execute('DELETE FROM stock WHERE id = 3')
    await call('POST', `/pipelines/${id}/start`)
    await written(1)
    await call('POST', `/pipelines/${id}/stop`)
  })

  it('that could not be read for a while have no error once they are read, though nothing changes', async () => {
    const { connectorId, server } = database
    const { id } = await call('POST', '/pipelines', {
      name: 'away',
      nodes: [
        { id: 'in', type: 'stream', config: { connectorId, stream: 'public.stock', changes: true } },
        { id: 'out', type: 'object', config: { bucket: 'copies', prefix: 'away/', format: 'parquet' }, inputs: ['in'] }
      ]
    })
    const errorIs = (is: (error: unknown) => boolean) =>
      eventually(async () => {
        const { error, status, run, activity } = await call('GET', `/pipelines/${id}`)
        assert.ok(is(error), JSON.stringify({ error, status, run, activity }))
      }, 60_000)
    await call('POST', `/pipelines/${id}/start`)
    const written = async () => Number((await call('GET', `/pipelines/${id}`)).run?.ledger.recordsWritten ?? 0)
    await eventually(async () => assert.ok((await written()) > 0))
    // Until it reads the log, and no longer the rows that were there.
    const rows = await written()
    await database.execute('UPDATE stock SET amount = amount + 1 WHERE id = 50')
    await eventually(async () => assert.ok((await written()) > rows))
    // The log goes on without changes of the table: a server that shuts down does not wait for the reader all the same.
    await database.execute('CREATE TABLE elsewhere (a integer)', 'INSERT INTO elsewhere VALUES (1)')
    await server.stop()
    await call('POST', `/connectors/${connectorId}/test`)
    await errorIs((error) => error !== null)
    await server.restart()
    await errorIs((error) => error === null)
    const connector = () => call('GET', `/connectors/${connectorId}`)
    // What was read has made its test due, which a job carries out each minute.
    await eventually(async () => {
      const { db } = database.test.platform.metadata
      const rows = await db.selectFrom('connectors').selectAll().where('id', '=', connectorId).execute()
      assert.ok(rows.every(({ status, next_test_ms }) => status === 'healthy' || next_test_ms <= Date.now()))
    }, 60_000)
    await call('POST', `/connectors/${connectorId}/read`, { stream: 'public.stock', limit: 1 })
    assert.equal((await connector()).status, 'healthy')
    await call('POST', `/pipelines/${id}/stop`)
    await eventually(async () => assert.equal((await call('GET', `/pipelines/${id}`)).status, 'stopped'))
  })

  const slots = async () =>
    (await database.execute('SELECT slot_name FROM pg_replication_slots')).map(({ slot_name }) => String(slot_name))
  const examined = async () => {
    const { config, clock, vault, metadata } = database.test.platform
    return (await checkPipelines({ config, clock, vault, metadata: metadata as never })).map(({ message }) => message)
  }

  it('are kept by the database for as long as a pipeline reads them, and what else is kept is named by the doctor', async () => {
    const { connectorId } = database
    const change = { connectorId, stream: 'public.stock', changes: true }
    const sink = { type: 'object', config: { bucket: 'copies', prefix: 'kept/', format: 'parquet' } }
    const nodes = (id: string) => [
      { id, type: 'stream', config: change },
      { id: 'out', ...sink, inputs: [id] }
    ]
    const { id } = await call('POST', '/pipelines', { name: 'kept', nodes: nodes('first') })
    const run = async () => {
      await call('POST', `/pipelines/${id}/start`)
      await eventually(
        async () => assert.ok((await call('GET', `/pipelines/${id}`)).run?.ledger.recordsWritten > 0),
        60_000
      )
      await call('POST', `/pipelines/${id}/stop`)
      await eventually(async () => assert.equal((await call('GET', `/pipelines/${id}`)).status, 'stopped'))
    }
    const own = async () => (await slots()).filter((name) => name.startsWith(`millrace_${id}_`))
    await run()
    const [first] = await own()
    assert.ok(!(await examined()).some((message) => message.includes(first as string)))
    await call('PUT', `/pipelines/${id}`, { nodes: nodes('second') })
    assert.ok((await examined()).some((message) => message.includes(`pg_drop_replication_slot('${first}')`)))
    await run()
    await eventually(async () => assert.ok(!(await own()).includes(first as string)))
    assert.equal((await own()).length, 1)
    await call('DELETE', `/pipelines/${id}`)
    await eventually(async () => assert.deepEqual(await own(), []))
    const { logs } = await call('GET', `/audit/logs?resourceId=${id}&action=pipeline.delete`)
    const [dropped] = logs[0].changes.droppedReaders.from
    assert.deepEqual([dropped.connectorId, dropped.reader.startsWith(`millrace_${id}_`)], [connectorId, true])
    const told = () => database.test.logged.some((line) => line.includes(dropped.reader) && line.includes('dropped'))
    await eventually(async () => assert.ok(told()))
    const left = await database.execute(`SELECT pubname FROM pg_publication WHERE pubname LIKE 'millrace_${id}_%'`)
    assert.deepEqual(left, [])
  })

  it('and where the database can not be told, the doctor names the slot and the statement', async () => {
    const { connectorId } = database
    const { id } = await call('POST', '/pipelines', {
      name: 'left',
      nodes: [
        { id: 'in', type: 'stream', config: { connectorId, stream: 'public.stock', changes: true } },
        { id: 'out', type: 'object', config: { bucket: 'copies', prefix: 'left/', format: 'parquet' }, inputs: ['in'] }
      ]
    })
    await call('DELETE', `/connectors/${connectorId}?force=true`)
    await call('DELETE', `/pipelines/${id}`)
    const wanted = `run there: SELECT pg_drop_replication_slot('millrace_${id}_`
    await eventually(async () => assert.ok((await examined()).some((message) => message.includes(wanted))))
  })
})
