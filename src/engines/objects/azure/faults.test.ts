import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { type TestContext, test } from 'node:test'
import { freePort } from '../../../../test/support/free-port.ts'
import { serve, serveTcp } from '../../outbound/testing/servers.ts'
import type { StoreErrorCode } from '../index.ts'
import { bodyOf } from '../testing/bodies.ts'
import { openFor, refused, settingsFor } from './testing/stores.ts'

const TYPE = { contentType: 'text/plain' }

/** A service that answers everything in this one way. */
async function answering(t: TestContext, answer: (response: ServerResponse, calls: number) => void) {
  const seen = { calls: 0 }
  const { port } = await serve(t, (request, response) => {
    request.resume().once('end', () => answer(response, ++seen.calls))
  })
  return { store: openFor(t, settingsFor(port)), seen, port }
}

const failing =
  (status: number, code: string, headers = {}) =>
  (response: ServerResponse) =>
    response
      .writeHead(status, { 'x-ms-error-code': code, 'content-type': 'application/xml', ...headers })
      .end(`<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>RequestId: 1</Message></Error>`)

test('what goes wrong on the way is told by its cause', async (t) => {
  const port = await freePort()
  const head = (...parameters: Parameters<typeof openFor> extends [unknown, ...infer Rest] ? Rest : never) =>
    openFor(t, ...parameters).head('bucket', 'key')
  await refused(head(settingsFor(port)), 'connection_refused', new RegExp(`127.0.0.1:${port}`))
  await refused(head(settingsFor(port), { allowPrivateNetworks: false }), 'address_refused', /ALLOWED_HOSTS/)
  const lookup = async () => []
  await refused(
    head(settingsFor(port, { endpoint: 'nowhere.example' }), { lookup }),
    'unknown_host',
    /nowhere\.example/
  )
  const plain = await serve(t, (_, response) => response.end())
  await refused(head(settingsFor(plain.port, { useTls: true })), 'tls_failed', /HTTPS/)
  const rude = await serveTcp(t, (socket) => socket.end('SSH-2.0-OpenSSH\r\n'))
  await refused(head(settingsFor(rude.port)), 'store_failed', /valid HTTP/)
  await refused(
    openFor(t, settingsFor(plain.port)).list('bucket', { prefix: '', folders: false, limit: 1 }),
    'store_failed'
  )
})

test('a server that accepts and says nothing is given up', async (t) => {
  let accepted = () => {}
  const acceptance = new Promise<void>((resolve) => {
    accepted = resolve
  })
  const { port } = await serveTcp(t, () => accepted())
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const head = openFor(t, settingsFor(port, { useTls: true })).head('bucket', 'key')
  await acceptance
  t.mock.timers.tick(10_000)
  await refused(head, 'timed_out')
})

test('every refusal of the service has a code of ours', async (t) => {
  const day = new Date(Date.now() - 86_400_000).toUTCString()
  const rows: [number, string, StoreErrorCode, object?][] = [
    [404, 'ContainerNotFound', 'no_such_bucket'],
    [409, 'ContainerBeingDeleted', 'no_such_bucket'],
    [404, 'BlobNotFound', 'no_such_key'],
    [409, 'BlobAlreadyExists', 'precondition_failed'],
    [412, 'ConditionNotMet', 'precondition_failed'],
    [403, 'AuthenticationFailed', 'wrong_secret'],
    [403, 'AuthenticationFailed', 'clock_off', { date: day }],
    [403, 'AuthorizationFailure', 'access_denied'],
    [403, 'AccountIsDisabled', 'access_denied'],
    [412, 'LeaseIdMissing', 'access_denied'],
    [403, 'KeyBasedAuthenticationNotPermitted', 'access_denied'],
    [403, 'SomethingNew', 'access_denied'],
    [429, 'TooManyRequests', 'throttled'],
    [507, 'AccountLimitExceeded', 'store_full'],
    [400, 'SomethingNew', 'store_failed']
  ]
  for (const [status, name, code, headers] of rows) {
    const { store } = await answering(t, failing(status, name, headers))
    await refused(store.head('bucket', 'key'), code)
    await refused(store.put('bucket', 'key', bodyOf('x'), TYPE), code)
  }
})

test('a bucket that is still being removed can neither be made nor removed again', async (t) => {
  const { store } = await answering(t, failing(409, 'ContainerBeingDeleted'))
  await refused(store.createBucket('bucket'), 'bucket_taken', /still removing/)
  await refused(store.deleteBucket('bucket'), 'no_such_bucket')
})

test('what one object refuses is told with its key; what concerns them all is thrown', async (t) => {
  const leased = await answering(t, failing(412, 'LeaseIdMissing'))
  const failures = await leased.store.delete('bucket', ['a', 'b'])
  assert.deepEqual(failures.map(({ key, code }) => `${key} ${code}`).sort(), ['a access_denied', 'b access_denied'])
  const gone = await answering(t, failing(404, 'ContainerNotFound'))
  await refused(gone.store.delete('bucket', ['a', 'b']), 'no_such_bucket')
})

test('only what comes to the same when it is done twice is tried again, and three times at most', async (t) => {
  const busy = await answering(t, failing(503, 'ServerBusy'))
  const callsOf = async (work: Promise<unknown>) => {
    const before = busy.seen.calls
    await refused(work, 'throttled')
    return busy.seen.calls - before
  }
  assert.equal(await callsOf(busy.store.head('bucket', 'key')), 3)
  assert.equal(await callsOf(busy.store.put('bucket', 'key', bodyOf('x'), TYPE)), 3)
  assert.equal(await callsOf(busy.store.put('bucket', 'key', bodyOf('x'), { ...TYPE, ifAbsent: true })), 1)
  const cut = await answering(t, (response, calls) => {
    if (calls < 3) response.destroy()
    else response.writeHead(201, { etag: '"1"', 'last-modified': new Date().toUTCString() }).end()
  })
  assert.equal((await cut.store.put('bucket', 'key', bodyOf('x'), TYPE)).sizeBytes, 1)
  assert.equal(cut.seen.calls, 3)
})

test('redirects are not followed and the proxy of the environment is not used', async (t) => {
  const elsewhere = await answering(t, (response) => response.end())
  const { store } = await answering(t, (response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${elsewhere.port}/` }).end()
  })
  await refused(store.head('bucket', 'key'), 'store_failed', /redirect/)
  const names = ['http_proxy', 'HTTP_PROXY', 'ALL_PROXY'] as const
  const kept = names.map((name) => [name, process.env[name]] as const)
  for (const name of names) process.env[name] = `http://127.0.0.1:${elsewhere.port}`
  t.after(() => {
    for (const [name, value] of kept) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })
  const direct = await answering(t, failing(404, 'BlobNotFound'))
  await refused(direct.store.head('bucket', 'key'), 'no_such_key')
  assert.deepEqual([elsewhere.seen.calls, direct.seen.calls], [0, 1])
})
