// Once: what a store answers.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { ManualClock } from '../../../../test/support/manual-clock.ts'
import { type Ceph, missingCeph, startCeph } from '../../../../test/support/servers/ceph.ts'
import { answerWith, type Passing, serveInFront } from '../../../engines/objects/azure/testing/front.ts'
import { type OpenedStore, openStore, type RemoteSettings } from '../../../engines/objects/index.ts'
import { createOutbound } from '../../../engines/outbound/index.ts'
import { testStore } from './index.ts'
import { assertFailed, checkOf, testSettings, whenNotBusy } from './testing/results.ts'

const page = { prefix: '', folders: false, limit: 100 }

describe('the test of a provider at Ceph', { skip: missingCeph() ?? false }, () => {
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  let ceph: Ceph
  let test: TestApp
  let opened: OpenedStore

  const settingsAt = (port: number): RemoteSettings => ({
    kind: 's3',
    endpoint: ceph.host,
    port,
    useTls: false,
    region: undefined,
    pathStyle: true,
    accessKey: ceph.accessKey,
    secretKey: ceph.secretKey
  })
  const open = (settings: RemoteSettings) => openStore(settings, { outbound: async () => outbound, now: Date.now })
  const bodyFor = ({ accessKey, secretKey }: { accessKey: string; secretKey: string }, port = ceph.port) => ({
    type: 'store-local',
    endpoint: ceph.host,
    port,
    credentials: { accessKey, secretKey }
  })
  const keysIn = async (bucket: string) =>
    (await opened.store.list(bucket, page)).entries.map((entry) => ('key' in entry ? entry.key : entry.folder))

  before(async () => {
    ceph = await startCeph()
    test = await startTestApp({ env: { ALLOW_PRIVATE_NETWORKS: 'true' } })
    opened = await open(settingsAt(ceph.port))
    await opened.store.createBucket('given')
  })
  after(async () => {
    await opened?.close()
    await test?.close()
    await outbound.close()
    await ceph?.stop()
  })

  it('finds everything in order, in a bucket that it makes and removes', async () => {
    const result = await testSettings(test, { ...bodyFor(ceph), bucketPrefix: 'shared-' })
    assert.deepEqual([result.success, result.message], [true, 'Everything works.'])
    assertFailed(result, {})
    assert.equal(checkOf(result, 'tls').code, 'skipped')
    assert.equal(checkOf(result, 'presign').code, null)
    const [, bucket = ''] = / in (shared-millrace-probe-\w{8})$/.exec(checkOf(result, 'write').message) ?? []
    await assert.rejects(opened.store.list(bucket, page), { code: 'no_such_bucket' })
  })

  it('tells a wrong key from a wrong secret', async () => {
    const { accessKey, secretKey } = ceph
    const key = await testSettings(test, bodyFor({ accessKey: 'NOBODY', secretKey }))
    assertFailed(key, { authenticate: 'unknown_access_key' })
    const secret = await testSettings(test, bodyFor({ accessKey, secretKey: 'not-the-secret-key' }))
    assertFailed(secret, { authenticate: 'wrong_secret' })
    assert.doesNotMatch(JSON.stringify([key, secret]), /not-the-secret-key|NOBODY/)
    assert.ok(!JSON.stringify([key, secret]).includes(secretKey))
  })

  it('names the right that is missing, and tries what can be tried without it', async () => {
    const cases = [
      ['s3:ListBucket', { list: 'access_denied' }],
      ['s3:PutObject', { write: 'access_denied' }],
      // For Ceph, one more request tells what became of an upload in parts.
      [
        's3:GetObject',
        { read: 'access_denied', range: 'access_denied', multipart: 'access_denied', presign: 'access_denied' }
      ]
    ] as const
    for (const [right, failed] of cases) {
      await ceph.deny('given', right)
      const result = await testSettings(test, { ...bodyFor(ceph), bucket: 'given' })
      assertFailed(result, failed)
      assert.ok(!result.success && result.message.includes(right), result.message)
      assert.equal(checkOf(result, 'delete').ok, right !== 's3:PutObject')
      await ceph.deny('given')
      assert.deepEqual(await keysIn('given'), [], right)
    }
  })

  it('tells what it could not remove, and where it is', async () => {
    await ceph.deny('given', 's3:DeleteObject')
    const result = await testSettings(test, { ...bodyFor(ceph), bucket: 'given' })
    await ceph.deny('given')
    assertFailed(result, { delete: 'access_denied' })
    assert.equal(result.success, false)
    assert.match(result.message, /grant it s3:DeleteObject/)
    const left = await keysIn('given')
    assert.equal(left.length, 2)
    for (const key of left) assert.ok(result.message.includes(`the object ${key} in given`), result.message)
    assert.deepEqual(await opened.store.delete('given', left), [])
  })

  it('needs no right to make buckets where one is named', async () => {
    const reader = await ceph.addUser({ uid: 'reader', opMask: 'read' })
    const result = await testSettings(test, bodyFor(reader))
    assertFailed(result, { list: 'access_denied' })
    assert.match(result.message, /grant it s3:CreateBucket, or name one that is there in the field bucket/)
  })

  it('lists no buckets and asks for none', async (t) => {
    const seen: string[] = []
    const front = await serveInFront(t, ceph.port, async ({ request, response, pass }) => {
      seen.push(`${request.method} ${request.url} ${'authorization' in request.headers}`)
      answerWith(response, await pass())
    })
    const settings = { settings: settingsAt(front.port), bucket: 'given', bucketPrefix: '' }
    const target = { ...settings, open: () => open(settings.settings) }
    const clock = new ManualClock(new Date().toISOString())
    assert.equal((await testStore(target, { clock, outbound: async () => outbound })).success, true)
    assert.ok(seen.length > 8)
    // Only the call that reads the server's clock is not signed.
    for (const call of seen.filter((line) => line.endsWith('true')))
      assert.match(call, /^\w+ \/given(\/\.millrace|\/?\?list)/)
    assert.deepEqual(
      seen.filter((line) => line.endsWith('false') && !line.includes('X-Amz-Signature')),
      ['HEAD / false']
    )
  })

  async function testBehind(
    front: { port: number },
    bucket: string | undefined,
    clock = new ManualClock(new Date().toISOString())
  ) {
    const settings = settingsAt(front.port)
    const target = { settings, bucket, bucketPrefix: '', open: () => open(settings) }
    return testStore(target, { clock, outbound: async () => outbound })
  }

  const refuse = ({ request, response }: Passing) => {
    request.resume()
    response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
  }

  it('gives up an upload that can’t be completed, which is not needed', async (t) => {
    const aborted: (number | undefined)[] = []
    const front = await serveInFront(t, ceph.port, async (passing) => {
      const { method, url = '' } = passing.request
      if (url.includes('partNumber=')) return refuse(passing)
      const answer = await passing.pass()
      if (method === 'DELETE' && url.includes('uploadId=')) aborted.push(answer.statusCode)
      answerWith(passing.response, answer)
    })
    const result = await testBehind(front, 'given')
    assertFailed(result, { multipart: 'access_denied' })
    assert.match(result.message, /needs works; what does not, and is not needed: multipart\.$/)
    assert.equal(result.success, true)
    assert.deepEqual(aborted, [204])
    assert.deepEqual(await keysIn('given'), [])
  })

  it('tells of the bucket that it made and could not remove', async (t) => {
    const front = await serveInFront(t, ceph.port, async (passing) => {
      const { method, url = '' } = passing.request
      if (method === 'DELETE' && /^\/[^/]+\/?$/.test(url.split('?')[0] as string)) return refuse(passing)
      answerWith(passing.response, await passing.pass())
    })
    const result = await testBehind(front, undefined)
    assertFailed(result, { delete: 'access_denied' })
    const [, bucket = ''] = /grant it s3:DeleteBucket; left behind: the bucket (\S+)\.$/.exec(result.message) ?? []
    assert.deepEqual(await keysIn(bucket), [])
    await opened.store.deleteBucket(bucket)
  })

  it('ends in time with a store that falls silent, and removes what was written all the same', async (t) => {
    const clock = new ManualClock(new Date().toISOString())
    let writes = 0
    const front = await serveInFront(t, ceph.port, async ({ request, response, pass }) => {
      const answer = await pass()
      if (request.method === 'PUT' && ++writes === 1) {
        answer.resume()
        clock.advance(10_000)
      } else answerWith(response, answer)
    })
    const result = await testBehind(front, 'given', clock)
    assertFailed(result, { write: 'timed_out' })
    assert.equal(result.success, false)
    assert.doesNotMatch(checkOf(result, 'delete').message, /left behind/)
    // The client sends the write again, which must not happen after the cleaning.
    await eventually(() => writes === 2)
    assert.deepEqual(await keysIn('given'), [])
  })

  it('works for the built-in provider of OBJECTS_URL, in the bucket that it holds', async () => {
    const { accessKey, secretKey, host, port } = ceph
    const url = `s3://${accessKey}:${secretKey}@${host}:${port}/plant-?tls=false`
    const app = await startTestApp({ env: { ALLOW_PRIVATE_NETWORKS: 'true', OBJECTS_URL: url } })
    try {
      const [shown] = (await app.call('GET', '/api/storage/providers', { as: 'viewer' })).body
      assert.deepEqual([shown.builtIn, shown.endpoint, shown.port, shown.useTls], [true, host, port, false])
      assert.deepEqual([shown.bucketPrefix, shown.credentials.secretKey], ['plant-', '********'])
      await app.call('POST', '/api/buckets', { as: 'admin', body: { name: 'readings' } })
      const at = '/api/storage/providers/sp_builtin/test'
      const { body } = await whenNotBusy(() => app.call('POST', at, { as: 'admin' }))
      assert.deepEqual([body.success, body.message], [true, 'Everything works.'])
      assert.match(checkOf(body, 'write').message, / in plant-readings$/)
      assert.deepEqual(await keysIn('plant-readings'), [])
      assert.equal((await app.call('DELETE', '/api/buckets/readings', { as: 'admin' })).status, 204)
      for (const line of app.logged) assert.ok(!line.includes(secretKey))
    } finally {
      await app.close()
    }
  })
})
