import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { loadKafka } from './guarded-client.ts'

const run = promisify(execFile)

test('what is said to brokers is not written to the log of the library, which would show passwords', async () => {
  // In a process of its own, because the library reads the variable once, when it is first loaded.
  const script = `import { loadKafka } from ${JSON.stringify(new URL('guarded-client.ts', import.meta.url).href)}
    const { loggers } = await loadKafka()
    console.log(loggers.admin.enabled, loggers.protocol.enabled)`
  const env = { ...process.env, DEBUG: 'plt:kafka:*' }
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { env })
  assert.equal(stdout.trim(), 'true false')
})

test('a connection is not made by itself', async () => {
  const { Base, Connection } = await loadKafka()
  assert.throws(() => new Connection('any').connect('127.0.0.1', 9), /outbound engine/)
  const client = new Base({ clientId: 'any', bootstrapBrokers: ['127.0.0.1:9'] })
  assert.throws(() => client.listApis(() => {}), /outbound engine/)
})
