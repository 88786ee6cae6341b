import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { after, afterEach, before, describe, it } from 'node:test'
import { eventually } from '../../test/support/eventually.ts'
import { assertProblem, openSocket, parseAnswer } from '../../test/support/hostile-client.ts'
import { type BareServer, startBareServer } from '../../test/support/hostile-server.ts'
import { answerClientError } from './client-errors.ts'

const POST = 'POST /api/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ada\r\nContent-Type: application/json\r\n'

describe('what never becomes a request', () => {
  let server: BareServer

  before(async () => {
    server = await startBareServer()
  })
  after(() => server.close())
  afterEach(async () => assert.equal((await server.call('GET', '/api/things')).status, 200))

  const broken: [what: string, text: string | Buffer, code: string][] = [
    ['no HTTP', 'hello\r\n\r\n', 'malformed_request'],
    ['TLS', Buffer.from('16030100f1010000ed0303', 'hex'), 'malformed_request'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'malformed_request'],
    ['an unknown method', 'BREW / HTTP/1.1\r\nHost: x\r\n\r\n', 'malformed_request'],
    ['an address with a space', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n', 'malformed_request'],
    ['an address with a NUL', 'GET /a\0b HTTP/1.1\r\nHost: x\r\n\r\n', 'malformed_request'],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n', 'malformed_request'],
    ['a header with a NUL', 'GET / HTTP/1.1\r\nHost: x\r\nx: a\0b\r\n\r\n', 'malformed_request'],
    ['a header on a second line', 'GET / HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\r\n b\r\n\r\n', 'malformed_request'],
    ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 'malformed_request'],
    ['a length that is none', `${POST}Content-Length: two\r\n\r\n{}`, 'malformed_request'],
    [
      'a length and chunks',
      `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      'malformed_request'
    ],
    ['broken chunks', `${POST}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`, 'malformed_request'],
    ['headers of 64 KB', `GET / HTTP/1.1\r\nHost: x\r\nx: ${'y'.repeat(65_536)}\r\n\r\n`, 'uri_too_long'],
    ['an address of 64 KB', `GET /${'y'.repeat(65_536)} HTTP/1.1\r\nHost: x\r\n\r\n`, 'uri_too_long']
  ]
  for (const [what, text, code] of broken) {
    it(`is told so as a problem, and the connection is closed: ${what}`, async () => {
      const socket = openSocket(server.url)
      socket.write(text)
      const answer = parseAnswer(await socket.closed)
      assert.equal(assertProblem(answer, what), code)
      assert.equal(answer.headers.connection, 'close')
      assert.equal(Number(answer.headers['content-length']), Buffer.byteLength(answer.text))
    })
  }

  it('may lack a Host header only as HTTP/1.0', async () => {
    const modern = openSocket(server.url)
    modern.write('GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n')
    assert.equal(assertProblem(parseAnswer(await modern.closed), 'no host'), 'malformed_request')
    const old = openSocket(server.url)
    old.write('GET /api/health HTTP/1.0\r\n\r\n')
    assert.equal(parseAnswer(await old.closed).status, 200)
  })

  it('leaves an answer alone that has begun', async () => {
    const socket = openSocket(server.url)
    socket.write('GET /api/things/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ada\r\n\r\n')
    await eventually(() => socket.received().length > 1000)
    socket.write('garbage\r\n\r\n')
    assert.equal([...(await socket.closed).matchAll(/HTTP\/1\.1/g)].length, 1)
  })

  it('is audited where it was a change, with an address though the caller is gone', async () => {
    const before = server.audited.length
    const socket = openSocket(server.url)
    socket.write(`${POST}Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam\r\nZZ\r\n`)
    await socket.closed
    await eventually(() => server.audited.length > before)
    const row = server.audited[before]
    assert.deepEqual([row?.action, row?.code, typeof row?.ip], ['thing.create', 'malformed_request', 'string'])
  })

  it('may hang up anywhere', async () => {
    const beginnings = [
      'G',
      'GET / HT',
      POST,
      `${POST}Content-Length: 9\r\n\r\n{`,
      `${POST}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a`
    ]
    for (const text of beginnings) {
      const socket = openSocket(server.url)
      socket.write(text)
      await eventually(() => open(server.http.server).then((count) => count > 0))
      socket.hangUp()
    }
    await eventually(async () => (await open(server.http.server)) <= 1) // that of the call before is kept alive
    assert.deepEqual(
      server.logged.filter((line) => line.includes('"level":50')),
      []
    )
  })
})

function open(server: Server): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)))
}

describe('a request that takes too long to arrive', () => {
  let server: Server
  let url: string

  before(async () => {
    // The same handler with shorter limits: nobody wants to wait for the real ones.
    server = createServer({ headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 }, (request) => {
      request.resume()
    })
    server.on('clientError', (error, socket) => answerClientError(error, socket as never, 'req_1'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  })
  after(() => server.close())

  for (const [what, text] of [
    ['headers', 'GET / HTTP/1.1\r\nHost: x\r\nx-slow: '],
    ['a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{']
  ] as const) {
    it(`is told so: ${what}`, async () => {
      const socket = openSocket(url)
      socket.write(text)
      const answer = parseAnswer(await socket.closed)
      assert.equal(assertProblem(answer, what), 'request_timeout')
      assert.equal(JSON.parse(answer.text).requestId, 'req_1')
    })
  }
})
