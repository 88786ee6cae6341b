import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort } from '../../../../test/support/free-port.ts'
import { makeFolder, removeFolder } from '../../../../test/support/servers/service.ts'
import { createOutbound } from '../../outbound/index.ts'
import { selfSigned } from '../../outbound/testing/certificate.ts'
import { listen, serve, serveTcp } from '../../outbound/testing/servers.ts'
import type { StoreErrorCode } from '../errors.ts'
import { createUploadBody, supportsPresigning } from '../index.ts'
import type { RemoteSettings } from '../open.ts'
import { bodyOf, readAll } from '../testing/bodies.ts'
import { openS3Store } from './store.ts'
import { openFor, refused, settingsOf } from './testing/open.ts'

const page = { prefix: '', folders: false, limit: 10 }
const text = { contentType: 'text/plain' }

async function openAt(t: TestContext, listener: RequestListener, settings: Partial<RemoteSettings> = {}) {
  const { port } = await serve(t, listener)
  return openFor(t, { port, ...settings })
}

test('what is wrong with the way to the store is told apart', async (t) => {
  const plain = await serve(t, (_request, response) => response.end())
  const rude = await serveTcp(t, (socket) => socket.once('data', () => socket.destroy()))
  const cases: [Partial<RemoteSettings>, StoreErrorCode, RegExp][] = [
    [
      { port: await freePort() },
      'connection_refused',
      /Nothing accepts connections at 127\.0\.0\.1:\d+; check the port/
    ],
    [{ endpoint: 'nowhere.invalid' }, 'unknown_host', /nowhere\.invalid can't be looked up/],
    [{ endpoint: '169.254.169.254' }, 'address_refused', /never called/],
    [{ port: plain.port, useTls: true }, 'tls_failed', /speaks HTTPS/],
    [{ port: rude.port, useTls: true }, 'tls_failed', /speaks HTTPS/],
    [{ port: rude.port }, 'store_failed', /closed the connection/],
    [{ port: plain.port }, 'store_failed', /does not speak the S3 protocol/]
  ]
  for (const [settings, code, message] of cases) {
    await refused(openFor(t, settings).list('bucket', page), code, message)
  }
})

test('a private address is called only where the policy permits it', async (t) => {
  const { port } = await serve(t, (_request, response) => response.end())
  await refused(openFor(t, { port }, false).list('bucket', page), 'address_refused', /ALLOWED_HOSTS/)
  await refused(openFor(t, { port, endpoint: 'localhost' }, false).list('bucket', page), 'address_refused', /private/)
})

test('an endpoint with more than a host in it is refused', async (t) => {
  for (const endpoint of ['http://s3.example', 's3.example/path', 's3.example:80', 'user@s3.example', '']) {
    assert.throws(() => openFor(t, { endpoint }), { name: 'StoreError', code: 'unknown_host' }, endpoint)
  }
})

test('something else that answers there is not taken for a store', async (t) => {
  const html = (status: number) => (_request: unknown, response: Parameters<RequestListener>[1]) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<html><body>secret</body></html>')
  const friendly = await openAt(t, html(200))
  await refused(friendly.list('bucket', page), 'store_failed', /does not speak the S3 protocol/)
  await refused(friendly.put('bucket', 'key', bodyOf('x'), text), 'store_failed', /does not speak the S3 protocol/)
  for (const status of [400, 404, 500]) {
    const store = await openAt(t, html(status))
    await assert.rejects(store.list('bucket', page), (error: Error) => !error.message.includes('secret'))
  }
  const redirecting = await openAt(t, (_request, response) => response.writeHead(301, { location: 'http://x/' }).end())
  await refused(redirecting.list('bucket', page), 'store_failed', /region/)
})

test('what may be repeated is tried three times, and a write with a condition once', async (t) => {
  let calls = 0
  const store = await openAt(t, (request) => {
    calls++
    request.socket.destroy()
  })
  const callsOf = async (work: Promise<unknown>) => {
    calls = 0
    await refused(work, 'store_failed', /closed the connection/)
    return calls
  }
  assert.equal(await callsOf(store.list('bucket', page)), 3)
  assert.equal(await callsOf(store.get('bucket', 'key', { ifMatch: '"tag"' })), 3)
  assert.equal(await callsOf(store.put('bucket', 'key', bodyOf('x'), text)), 3)
  assert.equal(await callsOf(store.put('bucket', 'key', bodyOf('x'), { ...text, ifAbsent: true })), 1)
  assert.equal(await callsOf(store.put('bucket', 'key', bodyOf('x'), { ...text, ifMatch: '"tag"' })), 1)
})

test('a download that breaks off is taken up where it ended, unless the object is another one', async (t) => {
  const ranges: (string | undefined)[] = []
  let etag = '"one"'
  const store = await openAt(t, (request, response) => {
    const { range } = request.headers
    ranges.push(range)
    const from = Number(/^bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0)
    if (request.headers['if-match'] !== undefined && request.headers['if-match'] !== etag) {
      response.writeHead(412).end()
      return
    }
    const headers = { etag, 'content-length': 6 - from, ...(from > 0 && { 'content-range': `bytes ${from}-5/6` }) }
    response.writeHead(from === 0 ? 200 : 206, headers)
    response.write('abcdef'.slice(from, from + 2), () => from < 4 && response.destroy())
    if (from >= 4) response.end()
  })
  assert.equal((await readAll((await store.get('bucket', 'key')).body)).toString(), 'abcdef')
  assert.deepEqual(ranges, [undefined, 'bytes=2-5', 'bytes=4-5'])
  const { body } = await store.get('bucket', 'key')
  etag = '"two"'
  await refused(readAll(body), 'precondition_failed', /key/)
})

test('nothing is taken from the environment or from files of the user', async (t) => {
  const folder = makeFolder('s3')
  t.after(() => removeFolder(folder))
  const decoy = await serve(t, (_request, response) => response.writeHead(500).end())
  const file = join(folder, 'config')
  writeFileSync(file, `[default]\nendpoint_url = http://127.0.0.1:${decoy.port}\nmax_attempts = 9\nregion = eu-x-1\n`)
  const environment = {
    HOME: folder,
    AWS_CONFIG_FILE: file,
    AWS_SHARED_CREDENTIALS_FILE: file,
    AWS_ENDPOINT_URL: `http://127.0.0.1:${decoy.port}`,
    AWS_ACCESS_KEY_ID: 'OTHER',
    AWS_SECRET_ACCESS_KEY: 'other',
    AWS_SESSION_TOKEN: 'other',
    AWS_REGION: 'eu-y-1',
    AWS_MAX_ATTEMPTS: '9',
    AWS_USE_FIPS_ENDPOINT: 'true',
    AWS_DEFAULTS_MODE: 'nonsense'
  }
  for (const [name, value] of Object.entries(environment)) {
    const before = process.env[name]
    process.env[name] = value
    t.after(() => {
      if (before === undefined) delete process.env[name]
      else process.env[name] = before
    })
  }
  const signed: string[] = []
  const store = await openAt(t, (request, response) => {
    signed.push(`${request.headers.authorization} ${request.headers['x-amz-security-token']}`)
    response.writeHead(500).end()
  })
  await refused(store.list('bucket', page), 'store_failed', /500/)
  assert.equal(signed.length, 3)
  for (const header of signed) assert.match(header, /Credential=AKIDEXAMPLE\/\d+\/us-east-1\/s3\/.* undefined$/)

  const amazon = openFor(t, { endpoint: undefined, pathStyle: false, region: 'eu-central-1' })
  assert.ok(supportsPresigning(amazon))
  const link = await amazon.presign('my-bucket', 'a/b c', {
    expiresInSeconds: 60
  })
  assert.match(link, /^https:\/\/my-bucket\.s3\.eu-central-1\.amazonaws\.com\/a\/b%20c\?/)
})

test('only Amazon is told where a bucket shall be, and that only outside of its first region', async (t) => {
  const bodies: string[] = []
  const { port } = await serve(t, async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString())
    response.end()
  })
  const lookup = async () => [{ address: '127.0.0.1' }]
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [], lookup })
  t.after(() => outbound.close())
  const places = { 'store.example': ['garage', undefined], 's3.amazonaws.com': [undefined, 'eu-west-1'] }
  for (const [endpoint, regions] of Object.entries(places)) {
    for (const region of regions) {
      const { store, close } = openS3Store(settingsOf({ endpoint, port, region }), outbound)
      await store.createBucket('made')
      await close()
    }
  }
  assert.deepEqual(bodies.slice(0, 3), ['', '', ''])
  assert.match(bodies[3] ?? '', /<LocationConstraint>eu-west-1</)
})

test('a request to delete several carries the one check that every store knows', async (t) => {
  const store = await openAt(t, async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const { 'content-md5': md5, ...headers } = request.headers
    assert.equal(md5, createHash('md5').update(body).digest('base64'))
    assert.doesNotMatch(Object.keys(headers).join(), /checksum/)
    const failures =
      '<Error><Key>a b</Key><Code>AccessDenied</Code></Error><Error><Key>c</Key><Code>NoSuchKey</Code></Error>'
    response.end(`<DeleteResult>${failures}</DeleteResult>`)
  })
  assert.deepEqual(await store.delete('bucket', ['a b', 'c']), [
    { key: 'a b', code: 'access_denied', message: 'The access key may not do this in bucket; grant it s3:DeleteObject' }
  ])
})

test('keys in a listing are read as the store says they are written', async (t) => {
  const written = { url: 'a+b%2B%E4%B8%AD%26', '': 'a b+%2B' }
  for (const [encoding, key] of Object.entries(written)) {
    const store = await openAt(t, (request, response) => {
      assert.match(request.url ?? '', /[?&]encoding-type=url/)
      const type = encoding === '' ? '' : `<EncodingType>${encoding}</EncodingType>`
      const object = `<Contents><Key>${key}</Key><ETag>tag</ETag><Size>1</Size></Contents>`
      const folder = `<CommonPrefixes><Prefix>${key}/</Prefix></CommonPrefixes>`
      response.end(`<ListBucketResult><IsTruncated>false</IsTruncated>${type}${folder}${object}</ListBucketResult>`)
    })
    const { entries } = await store.list('bucket', { ...page, folders: true })
    const expected = encoding === 'url' ? 'a b+中&' : key
    assert.deepEqual(
      entries.map((entry) => ('folder' in entry ? entry.folder : entry.key)),
      [expected, `${expected}/`]
    )
  }
})

test('a certificate that nobody vouches for is refused, even if the environment says not to check', async (t) => {
  const server = createServer(selfSigned('localhost'), (_request, response) => response.end())
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = await listen(server, {})
  t.mock.method(process, 'emitWarning', () => {})
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED)
  const store = openFor(t, { endpoint: 'localhost', port, useTls: true })
  await refused(store.list('bucket', page), 'tls_failed', /check its certificate/)
})

test('whoever sends a content learns that the store does not take it', async (t) => {
  const store = openFor(t, { port: await freePort() })
  let released = false
  async function* pieces() {
    try {
      for (;;) yield Buffer.alloc(1_000_000)
    } finally {
      released = true
    }
  }
  await refused(store.put('bucket', 'key', createUploadBody(pieces()), text), 'connection_refused')
  assert.ok(released)
})
