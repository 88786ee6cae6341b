import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { freePort } from '../../../test/support/free-port.ts'
import { createOutbound } from './index.ts'
import { serve, serveTcp } from './testing/servers.ts'

const lookup = async () => [{ address: '127.0.0.1' }]

function open(t: TestContext) {
  const outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [], lookup })
  t.after(() => outbound.close())
  return outbound
}

test('a call carries method, headers and body to the host of the URL', async (t) => {
  const { port } = await serve(t, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { host, 'x-token': token, 'accept-encoding': encoding, 'content-length': length } = request.headers
    response.setHeader('x-seen', 'yes')
    response.end(JSON.stringify({ method: request.method, path: request.url, host, token, encoding, length, body }))
  })
  const response = await open(t).request(`http://Service.Example.:${port}/a%20b?c=d#e`, {
    method: 'post',
    headers: { 'X-Token': 'abc' },
    body: 'hällo'
  })
  assert.equal(response.status, 200)
  assert.equal(response.address, '127.0.0.1')
  assert.equal(response.headers['x-seen'], 'yes')
  assert.deepEqual(await response.json(), {
    method: 'POST',
    path: '/a%20b?c=d',
    host: `service.example:${port}`,
    token: 'abc',
    encoding: 'identity',
    length: '6',
    body: 'hällo'
  })
})

test('an answer is handed over as it is, also when it is an error or compressed', async (t) => {
  const packed = gzipSync('x'.repeat(1000))
  const { port } = await serve(t, (request, response) => {
    response.statusCode = 503
    response.setHeader('content-encoding', request.headers['accept-encoding'] ?? '')
    response.end(packed)
  })
  const response = await open(t).request(`http://127.0.0.1:${port}/`, { headers: { 'Accept-Encoding': 'gzip' } })
  assert.equal(response.status, 503)
  assert.equal(response.headers['content-encoding'], 'gzip')
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body) chunks.push(chunk)
  assert.deepEqual(Buffer.concat(chunks), packed)
})

test('a redirect is an answer and not followed', async (t) => {
  const paths: string[] = []
  const { port } = await serve(t, (request, response) => {
    paths.push(request.url ?? '')
    response.writeHead(302, { location: '/elsewhere' }).end('moved')
  })
  const response = await open(t).request(`http://127.0.0.1:${port}/here`)
  assert.equal(response.status, 302)
  assert.equal(response.headers.location, '/elsewhere')
  assert.equal(await response.text(), 'moved')
  assert.deepEqual(paths, ['/here'])
})

test('a connection is used again, and a proxy in the environment is not used at all', async (t) => {
  const proxied: string[] = []
  const proxy = await serve(t, (request, response) => {
    proxied.push(request.url ?? '')
    response.end()
  })
  const clientPorts = new Set<number | undefined>()
  const { port } = await serve(t, (request, response) => {
    clientPorts.add(request.socket.remotePort)
    response.end('ok')
  })
  for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) {
    process.env[name] = `http://127.0.0.1:${proxy.port}`
    t.after(() => delete process.env[name])
  }
  const outbound = open(t)
  for (let call = 0; call < 6; call++) {
    assert.equal(await (await outbound.request(`http://service.example:${port}/`)).text(), 'ok')
  }
  assert.ok(clientPorts.size < 6)
  assert.deepEqual(proxied, [])
})

test('a URL that may not be called is told apart without repeating it', async (t) => {
  const outbound = open(t)
  const urls: Record<string, RegExp> = {
    'secret/path': /not valid/,
    'ftp://example.com/secret': /scheme/,
    'file:///secret': /scheme/,
    'http://user:secret@example.com/': /put them in a header/,
    'http://secret@example.com/': /put them in a header/,
    'http://999.1.1.1/secret': /not valid/,
    'http://a..b/secret': /host/,
    'http://example.com:0/secret': /port/,
    'http://[fe80::1%25eth0]/secret': /not valid/
  }
  for (const [url, message] of Object.entries(urls)) {
    await assert.rejects(outbound.request(url), (error: Error & { code: string }) => {
      assert.equal(error.code, 'bad_url', url)
      assert.match(error.message, message)
      return !error.message.includes('secret')
    })
  }
})

test('headers that would change where or how the message goes are refused', async (t) => {
  let calls = 0
  const { port } = await serve(t, (_request, response) => {
    calls++
    response.end()
  })
  const outbound = open(t)
  const wrong = [
    { Host: 'internal' },
    { 'transfer-encoding': 'chunked' },
    { 'Content-Length': '1' },
    { 'x-a': 'a\r\nb: c' }
  ]
  for (const headers of [...wrong, { 'bad name': 'x' }]) {
    await assert.rejects(
      outbound.request(`http://127.0.0.1:${port}/`, { headers: { ...headers } as Record<string, string> }),
      {
        code: 'protocol'
      }
    )
  }
  for (const method of ['CONNECT', 'GET / HTTP/1.1\r\nx: y']) {
    await assert.rejects(outbound.request(`http://127.0.0.1:${port}/`, { method }), { code: 'protocol' })
  }
  assert.equal(calls, 0)
})

test('a port nobody listens on is a refused connection', async (t) => {
  const port = await freePort()
  await assert.rejects(open(t).request(`http://service.example:${port}/`), {
    name: 'OutboundError',
    code: 'connection_refused',
    message: `Nothing accepts connections at service.example:${port}; check the port`
  })
})

test('what is not HTTP, not JSON or cut short fails without a word of the answer', async (t) => {
  const answers: [string, string, RegExp][] = [
    ['SSH-2.0-secret\r\n', 'protocol', /valid HTTP/],
    ['HTTP/1.1 200 OK\r\nx: y\r\n', 'unreachable', /closed the connection/],
    ['HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\nsecret', 'unreachable', /closed the connection/],
    ['HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret', 'protocol', /not JSON/],
    [`HTTP/1.1 200 OK\r\nx: ${'secret'.repeat(10_000)}\r\n\r\n`, 'too_large', /headers/]
  ]
  const outbound = open(t)
  for (const [answer, code, message] of answers) {
    const { port } = await serveTcp(t, (socket) => socket.once('data', () => socket.end(answer)))
    const call = outbound.request(`http://127.0.0.1:${port}/`).then((response) => response.json())
    await assert.rejects(call, (error: Error & { code: string }) => {
      assert.equal(error.code, code)
      assert.match(error.message, message)
      return !error.message.includes('secret') && error.cause === undefined
    })
  }
})

test('an answer that nobody reads leaves its connection to later calls', async (t) => {
  const ports = new Set<number | undefined>()
  const { port } = await serve(t, (request, response) => {
    ports.add(request.socket.remotePort)
    response.end('x'.repeat(1000))
  })
  const outbound = open(t)
  for (let call = 0; call < 20; call++) await (await outbound.request(`http://127.0.0.1:${port}/`)).discard()
  assert.ok(ports.size <= 2, `${ports.size} connections`)
})

test('an answer that nobody reads and that goes on is cut off', async (t) => {
  const cutOff = Promise.withResolvers<void>()
  const { port } = await serve(t, (request, response) => {
    request.socket.once('close', () => cutOff.resolve())
    response.write('beginning')
  })
  await (await open(t).request(`http://127.0.0.1:${port}/`)).discard()
  await cutOff.promise
})
