import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadKafka } from './guarded-client.ts'

test('what is said to brokers is not written to the log of the library, which would show passwords', async (t) => {
  const { DEBUG } = process.env
  process.env.DEBUG = 'plt:kafka:*'
  t.after(() => {
    if (DEBUG === undefined) delete process.env.DEBUG
    else process.env.DEBUG = DEBUG
  })
  const { loggers } = await loadKafka()
  assert.deepEqual([loggers.admin.enabled, loggers.protocol.enabled], [true, false])
})

test('a connection is not made by itself', async () => {
  const { Base, Connection } = await loadKafka()
  assert.throws(() => new Connection('any').connect('127.0.0.1', 9), /outbound engine/)
  const client = new Base({ clientId: 'any', bootstrapBrokers: ['127.0.0.1:9'] })
  assert.throws(() => client.listApis(() => {}), /outbound engine/)
})
