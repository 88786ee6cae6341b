import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { freePort } from '../../../../test/support/free-port.ts'
import { rsaKeys } from '../../../../test/support/rsa-keys.ts'
import { serve, serveTcp } from '../../outbound/testing/servers.ts'
import type { ObjectStore, StoreErrorCode } from '../index.ts'
import { bodyOf, pattern, readAll } from '../testing/bodies.ts'
import { createUploadBody } from '../upload-body.ts'
import { openFor, openOnJsonApi } from './testing/open.ts'

const options = { contentType: 'text/plain' }

async function refused(store: ObjectStore, code: StoreErrorCode, message: RegExp): Promise<void> {
  await assert.rejects(store.head('bucket', 'key'), { name: 'StoreError', code, message })
}

test('each way a connection can fail has its own code', async (t) => {
  const plain = await serve(t, (_request, response) => response.end('not JSON'))
  const mute = await serveTcp(t, (socket) => socket.on('data', () => socket.end('SSH-2.0\r\n')))
  await refused(openFor(t, { port: await freePort() }), 'connection_refused', /check the port/)
  await refused(openFor(t, { port: plain.port, useTls: true }), 'tls_failed', /speaks HTTPS/)
  await refused(openFor(t, { port: plain.port }), 'store_failed', /as Cloud Storage does/)
  await refused(openFor(t, { port: mute.port }), 'store_failed', /valid HTTP/)
  await refused(openFor(t, { port: plain.port }, { allowPrivateNetworks: false }), 'address_refused', /ALLOWED_HOSTS/)
  const lookup = () => Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }))
  await refused(openFor(t, { endpoint: 'nowhere.example', port: 80 }, { lookup }), 'unknown_host', /nowhere\.example/)
})

test('an account that is not known and a key that is not its own are told apart', async (t) => {
  const { api } = await openOnJsonApi(t)
  const { privateKey } = rsaKeys('stranger')
  const other = privateKey.export({ type: 'pkcs8', format: 'pem' })
  const nobody = { ...api.keyFile, client_email: 'nobody@p.iam.gserviceaccount.com' }
  const wrong: [object, StoreErrorCode][] = [
    [nobody, 'unknown_access_key'],
    [{ ...api.keyFile, private_key: other }, 'wrong_secret'],
    [{ ...api.keyFile, token_uri: `http://127.0.0.1:${await freePort()}/` }, 'connection_refused'],
    [{ ...api.keyFile, token_uri: 'nothing' }, 'wrong_secret']
  ]
  for (const [file, code] of wrong) {
    await refused(openFor(t, { port: api.port, secretKey: JSON.stringify(file) }), code, /./)
  }
  await refused(openFor(t, { port: api.port }), 'wrong_secret', /credentials/)
})

test('nothing is taken from the environment, and nothing is written to the console', async (t) => {
  const elsewhere: string[] = []
  const other = await serve(t, (request, response) => {
    elsewhere.push(request.url ?? '')
    response.end('{}')
  })
  const url = `http://127.0.0.1:${other.port}`
  const misleading = {
    STORAGE_EMULATOR_HOST: url,
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    GCE_METADATA_HOST: `127.0.0.1:${other.port}`,
    GOOGLE_APPLICATION_CREDENTIALS: '/nowhere.json',
    GOOGLE_CLOUD_PROJECT: 'other',
    GOOGLE_CLOUD_QUOTA_PROJECT: 'other',
    GOOGLE_SDK_NODE_LOGGING: 'all'
  }
  for (const [name, value] of Object.entries(misleading)) {
    process.env[name] = value
    t.after(() => delete process.env[name])
  }
  const written: unknown[] = []
  for (const method of ['log', 'warn', 'error', 'info', 'debug'] as const) {
    t.mock.method(console, method, (...words: unknown[]) => written.push(words))
  }
  t.mock.method(process, 'emitWarning', (warning: unknown) => written.push(warning))
  const { api, store } = await openOnJsonApi(t)
  await store.put('bucket', 'key', bodyOf('content'), options)
  assert.match(await store.presign('bucket', 'key', { expiresInSeconds: 60 }), new RegExp(`:${api.port}/bucket/key\\?`))
  assert.deepEqual([elsewhere, written], [[], []])
  assert.ok(api.seen.every(({ headers }) => headers['x-goog-user-project'] === undefined))
})

test('what can be repeated is tried three times, a streamed body once', async (t) => {
  const { api, store } = await openOnJsonApi(t)
  await store.put('bucket', 'key', bodyOf('content'), options)
  const attempts = async (work: () => Promise<unknown>, failing: number, method: string) => {
    api.seen.length = 0
    let left = failing
    api.control.instead = (seen) => (seen.method === method && left-- > 0 ? { status: 503, body: {} } : undefined)
    const [{ status }] = await Promise.allSettled([work()])
    return `${status} ${api.seen.filter((seen) => seen.method === method).length}`
  }
  const head = () => store.head('bucket', 'key')
  assert.equal(await attempts(head, 2, 'GET'), 'fulfilled 3')
  assert.equal(await attempts(head, 9, 'GET'), 'rejected 3')
  const large = () => store.put('bucket', 'large', bodyOf(pattern(9_000_000)), options)
  assert.equal(await attempts(large, 1, 'PUT'), 'rejected 1')
  const first = () => store.put('bucket', 'first', bodyOf('x'), { ...options, ifAbsent: true })
  assert.equal(await attempts(first, 1, 'POST'), 'rejected 1')
})

test('an answer that comes before the whole body ends the upload', async (t) => {
  const { port } = await serve(t, (request, response) => {
    if (request.method === 'POST') response.setHeader('location', 'http://x/session')
    else response.statusCode = 403
    response.end('{}')
  })
  const endless = async function* () {
    for (;;) yield Buffer.alloc(65_536)
  }
  const put = openFor(t, { port }).put('bucket', 'key', createUploadBody(endless()), options)
  await assert.rejects(put, { code: 'access_denied' })
})

test('an error of the sender stays what it is, even one of its network', async (t) => {
  const { api, store } = await openOnJsonApi(t)
  const gone = Object.assign(new Error('the sender is gone'), { code: 'ECONNRESET' })
  for (const megabytes of [1, 20]) {
    const source = async function* () {
      for (let i = 0; i < megabytes; i++) yield Buffer.alloc(1_000_000)
      throw gone
    }
    await assert.rejects(store.put('bucket', 'key', createUploadBody(source()), options), (error) => error === gone)
  }
  assert.equal(api.seen.at(-1)?.method, 'DELETE', 'the session is given up')
})

test('a body that nobody reads lets its connection go', async (t) => {
  const closed: Promise<unknown>[] = []
  const { port } = await serve(t, (request, response) => {
    if (request.url?.includes('alt=media') !== true) {
      const times = { updated: new Date().toISOString(), generation: '1' }
      response.end(JSON.stringify({ name: 'key', size: '90000000', etag: 'x', ...times }))
      return
    }
    closed.push(once(response, 'close'))
    response.write(Buffer.alloc(1_000_000))
  })
  const { body } = await openFor(t, { port }).get('bucket', 'key')
  assert.ok('destroy' in body)
  body.destroy()
  await Promise.all(closed)
})

test('a download that breaks off goes on where it ended, unless the object has been replaced', async (t) => {
  const ranges: (string | undefined)[] = []
  let replaced = false
  const { port } = await serve(t, (request, response) => {
    if (request.url?.includes('alt=media') !== true) {
      const times = { updated: new Date().toISOString(), generation: '1' }
      response.end(JSON.stringify({ name: 'key', size: '6', etag: 'x', ...times }))
      return
    }
    assert.match(request.url, /generation=1/)
    const { range } = request.headers
    ranges.push(range)
    const from = Number(/^bytes=(\d+)-5$/.exec(range ?? '')?.[1] ?? 0)
    response.writeHead(replaced && from > 0 ? 404 : from === 0 ? 200 : 206, { 'content-length': 6 - from })
    response.write('abcdef'.slice(from, from + 2), () => from < 4 && response.destroy())
    if (from >= 4) response.end()
  })
  const store = openFor(t, { port })
  const content = async () => (await readAll((await store.get('bucket', 'key')).body)).toString()
  assert.equal(await content(), 'abcdef')
  assert.deepEqual(ranges, [undefined, 'bytes=2-5', 'bytes=4-5'])
  replaced = true
  await assert.rejects(content(), { code: 'precondition_failed', message: /replaced/ })
})
