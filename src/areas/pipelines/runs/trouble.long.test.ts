// Once: it is about what a run says of itself, which is written like everything else.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { freePort } from '../../../../test/support/free-port.ts'

const LIMIT_MS = 60_000

test('a run that tries the same again and again says so, and takes it back once it gets on', async () => {
  const app = await startTestApp({ env: { ALLOWED_HOSTS: '127.0.0.1' } })
  const call = (method: string, path: string, body?: unknown) =>
    app.call(method, `/api/pipelines${path}`, { as: 'editor', body })
  const show = async (id: string) => (await call('GET', `/${id}`)).body
  const port = await freePort()
  const server = createServer((request, response) => request.resume().once('end', () => response.writeHead(204).end()))
  const out = { id: 'out', type: 'http', config: { url: `http://127.0.0.1:${port}/` } }
  try {
    const source = { id: 'in', type: 'generate', config: { fields: { n: 'n' }, ratePerS: 10 } }
    const { id } = (await call('POST', '', { name: 'trouble', nodes: [source, { ...out, inputs: ['in'] }] })).body
    await call('POST', `/${id}/start`)
    const told = await eventually(async () => {
      const body = await show(id)
      return body.error !== null && body
    }, LIMIT_MS)
    assert.equal(told.status, 'running')
    assert.deepEqual([told.error.nodeId, told.run.error], ['out', told.error])
    assert.ok(told.error.attempts >= 3 && Date.parse(told.error.since) <= Date.now(), JSON.stringify(told.error))

    const says = (what: string) => app.logged.some((line) => line.includes(`"${what}"`) && line.includes(id))
    assert.ok(says('a pipeline tries the same again and again'))

    // A replay that can't get on either is answered all the same, and goes on when it can.
    const refusing = (maximum: number) => [
      { id: 'in', type: 'generate', config: { fields: { n: 'n' }, count: 3 } },
      { id: 'low', type: 'validate', config: { schema: { properties: { n: { maximum } } } }, inputs: ['in'] },
      { ...out, inputs: ['low'] }
    ]
    const other = (await call('POST', '', { name: 'replay', nodes: refusing(-1) })).body.id
    await call('POST', `/${other}/start`)
    await eventually(async () => (await show(other)).status === 'completed')
    await call('PUT', `/${other}`, { nodes: refusing(3) })
    const asked = await call('POST', `/${other}/dead-letters/replay`)
    assert.deepEqual([asked.status, asked.body.replayed, asked.body.waiting], [202, 0, 3])
    const again = await call('POST', `/${other}/dead-letters/replay`)
    assert.deepEqual([again.status, again.body.code], [503, 'pipeline_busy'])
    const { status, run } = await show(other)
    assert.deepEqual([status, run.id, run.kind, run.error.nodeId], ['running', asked.body.runId, 'replay', 'out'])

    server.listen(port, '127.0.0.1')
    await eventually(async () => {
      const body = await show(id)
      return body.error === null && body.run.error === null && body.run.ledger.recordsWritten > 0
    }, LIMIT_MS)
    assert.ok(says('a pipeline gets on again'))
    const ended = await eventually(async () => {
      const { body } = await call('GET', `/${other}/runs/${asked.body.runId}`)
      return body.status === 'completed' && body
    }, LIMIT_MS)
    assert.deepEqual([ended.ledger.recordsWritten, ended.error], [3, null])
    assert.deepEqual([(await show(other)).status, (await show(other)).run.number], ['completed', 1])
    await call('POST', `/${id}/stop`)
    await eventually(async () => (await show(id)).status === 'stopped')
  } finally {
    server.close()
    await app.close()
  }
})
