// Once: what can go wrong on the way to a store.
import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { freePort } from '../../../../test/support/free-port.ts'
import { selfSigned } from '../../../engines/outbound/testing/certificate.ts'
import { listen, serve } from '../../../engines/outbound/testing/servers.ts'
import { assertFailed, checkOf, testSettings, whenNotBusy } from './testing/results.ts'

const credentials = { accessKey: 'AKIALOCALTEST', secretKey: 'the-secret-of-the-local-test' }
const s3 = { type: 'store-local', endpoint: '127.0.0.1', credentials }
const builtIn = '/api/storage/providers/sp_builtin'

const problem = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no</Message></Error>`

describe('the test of a storage provider', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp({ env: { ALLOW_PRIVATE_NETWORKS: 'true' } })
  })
  after(() => test.close())

  const call = (method: string, path: string, body?: object) =>
    whenNotBusy(() => test.call(method, path, { as: 'admin', body }))

  it('finds that the disk can do everything, and keeps that with its time', async () => {
    const before = (await call('GET', builtIn)).body
    assert.equal(before.lastTest, null)
    const { status, body } = await call('POST', `${builtIn}/test`)
    assert.deepEqual([status, body.success, body.message], [200, true, 'Everything works.'])
    assertFailed(body, {})
    for (const name of ['resolve', 'connect', 'tls', 'authenticate', 'clock', 'presign'] as const) {
      assert.equal(checkOf(body, name).code, 'skipped', name)
    }
    const after = (await call('GET', builtIn)).body
    assert.deepEqual({ ...after.lastTest, at: undefined }, { ...body, at: undefined })
    assert.ok(Date.now() - Date.parse(after.lastTest.at) < 60_000)
    assert.deepEqual([after.version, after.updatedAt], [before.version, before.updatedAt])
    const { logs } = (await call('GET', '/api/audit/logs?action=storage-provider.test')).body
    assert.deepEqual([logs[0].resourceId, logs[0].changes.lastTest.to.success], ['sp_builtin', true])
  })

  it('uses a bucket of the platform where there is one, and leaves it as it was', async () => {
    await call('POST', '/api/buckets', { name: 'ours' })
    const { body } = await call('POST', `${builtIn}/test`, {})
    assert.match(checkOf(body, 'write').message, / in ours$/)
    const { objects } = (await call('GET', '/api/buckets/ours/objects?recursive=true')).body
    assert.deepEqual(objects, [])
    const named = await call('POST', `${builtIn}/test`, { bucket: 'not-there' })
    assertFailed(named.body, { list: 'no_such_bucket' })
    assert.equal(named.body.success, false)
  })

  it('leaves nothing of a disk that was only thought of', async () => {
    const before = readdirSync(join(test.database.folder, 'objects'))
    const result = await testSettings(test, { type: 'store-local' })
    assert.equal(result.success, true)
    assert.deepEqual(readdirSync(join(test.database.folder, 'objects')), before)
  })

  it('says so where the folder can’t be opened', async () => {
    const body = { name: 'blocked', type: 'store-local' }
    const { id } = (await call('POST', '/api/storage/providers', body)).body
    writeFileSync(join(test.database.folder, 'objects', id), 'in the way')
    const result = (await call('POST', `/api/storage/providers/${id}/test`)).body
    assertFailed(result, { list: 'store_failed' })
    assert.match(result.message, /check access to DATA_DIR/)
  })

  it('takes the body of a new provider, with secrets that are none', async () => {
    const refusal = async (body: object) => {
      const answer = await call('POST', '/api/storage/providers/test', body)
      return [answer.status, answer.body.errors[0].pointer]
    }
    const masked = { accessKey: '********', secretKey: '********' }
    assert.deepEqual(await refusal({ name: 'x', ...s3, credentials: masked }), [400, '/credentials/accessKey'])
    assert.deepEqual(await refusal({ name: 'x', ...s3, credentials: null }), [400, '/credentials'])
    assert.deepEqual(await refusal({ name: 'x', ...s3, colour: 'red' }), [400, '/colour'])
    assert.deepEqual(await refusal({ name: 'x', ...s3, bucket: '../x' }), [400, '/bucket'])
  })

  it('tells an unknown host, a closed port and a forbidden address apart', async () => {
    const unknown = await testSettings(test, { ...s3, endpoint: 'nowhere.invalid' })
    assertFailed(unknown, { resolve: 'unknown_host' })
    assert.match(unknown.message, /^The check resolve failed: .*nowhere\.invalid.*check its spelling.*\.$/)
    assert.equal(checkOf(unknown, 'delete').code, 'not_tried')
    assert.match(checkOf(unknown, 'write').message, /because resolve did not work/)
    const closed = await testSettings(test, { ...s3, port: await freePort() })
    assertFailed(closed, { connect: 'connection_refused' })
    assert.match(closed.message, /check host and port/)
    assertFailed(await testSettings(test, { ...s3, endpoint: '169.254.169.254' }), { resolve: 'address_refused' })
  })

  it('refuses a private address where those are not permitted', async () => {
    const strict = await startTestApp()
    try {
      const result = await testSettings(strict, { ...s3, port: await freePort() })
      assertFailed(result, { resolve: 'address_refused' })
      assert.match(result.message, /ALLOW_PRIVATE_NETWORKS/)
    } finally {
      await strict.close()
    }
  })

  it('does not trust a certificate that nobody vouches for, nor what is not TLS at all', async (t) => {
    const server = createServer(selfSigned('localhost'), (_, response) => response.end())
    t.after(() => {
      server.close()
      server.closeAllConnections()
    })
    const { port } = await listen(server, {})
    const untrusted = await testSettings(test, { ...s3, port, useTls: true })
    assertFailed(untrusted, { tls: 'tls_failed' })
    assert.match(untrusted.message, /check its certificate/)
    const plain = await serve(t, (_, response) => response.end())
    assertFailed(await testSettings(test, { ...s3, port: plain.port, useTls: true }), { tls: 'tls_failed' })
  })

  it('tells that the clocks are apart, by what the store says or by its time', async (t) => {
    const skewed = await serve(t, (_, response) => response.writeHead(403).end(problem('RequestTimeTooSkewed')))
    const refused = await testSettings(test, { ...s3, port: skewed.port })
    assertFailed(refused, { authenticate: 'clock_off', clock: 'clock_off' })
    assert.match(refused.message, /clock/)
    const date = new Date(Date.now() - 3_600_000).toUTCString()
    const behind = await serve(t, (_, response) => response.writeHead(404, { date }).end(problem('NoSuchBucket')))
    const measured = await testSettings(test, { ...s3, port: behind.port, bucket: 'any' })
    assertFailed(measured, { clock: 'clock_off', list: 'no_such_bucket' })
    assert.match(checkOf(measured, 'clock').message, /3600 s apart|3601 s apart|3599 s apart/)
  })

  it('says so where something else answers', async (t) => {
    const { port } = await serve(t, (_, response) => response.end('<html>hello</html>'))
    const result = await testSettings(test, { ...s3, port })
    assert.equal(result.success, false)
    assert.equal(checkOf(result, 'connect').ok, true)
    assert.doesNotMatch(JSON.stringify(result), /hello/)
  })

  it('shows no secret, in its answer, its audit row or the log', async () => {
    const { text } = await call('GET', '/api/audit/logs?action=storage-provider.test&limit=100')
    assert.match(text, /nowhere\.invalid/)
    for (const said of [text, ...test.logged]) assert.ok(!said.includes(credentials.secretKey))
  })
})
